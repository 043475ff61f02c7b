package model;

import java.io.IOException;

/** What the clients use of java.io.FileInputStream. */
public class FileInputStream {
    private boolean open;

    public FileInputStream(String name) throws IOException {
        if (!Disk.has(name)) throw new IOException(name);
        open = true;
    }

    public int read() {
        if (!open) throw new IllegalStateException("closed");
        return Disk.next();
    }

    /** May be called again. */
    public void close() {
        open = false;
    }
}

/** The outside world. */
class Disk {
    static native boolean has(String name);

    static native int next();
}
