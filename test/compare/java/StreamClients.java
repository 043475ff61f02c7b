import java.io.FileInputStream;
import java.io.IOException;

/** Clients of a stream: the constructor opens it, `read` needs it open, `close` may be called again. */
public class StreamClients {
    /* right */
    public int firstByte(String name) throws IOException {
        FileInputStream s = new FileInputStream(name);
        try {
            return s.read();
        } finally {
            s.close();
        }
    }

    /* wrong: the failure to open it is swallowed, and so is what was closed for it */
    public int swallowed(String name, boolean again) throws IOException {
        FileInputStream s = new FileInputStream(name);
        if (again) {
            s.close();
            try {
                s = new FileInputStream(name);
            } catch (IOException e) {
                again = false;
            }
        }
        int c = s.read();
        s.close();
        return c;
    }

    /* wrong: read after close */
    public int lateRead(String name) throws IOException {
        FileInputStream s = new FileInputStream(name);
        s.close();
        return s.read();
    }

    /* right: closed twice on one path, which streams of Java may be */
    public int closedTwice(String name) throws IOException {
        FileInputStream s = new FileInputStream(name);
        int c = -1;
        try {
            c = s.read();
            if (c < 0) s.close();
        } finally {
            s.close();
        }
        return c;
    }

    /* right: what was opened is remembered in a flag */
    public int flagged(String name, boolean wanted) throws IOException {
        FileInputStream s = new FileInputStream(name);
        boolean opened = true;
        if (!wanted) {
            s.close();
            opened = false;
        }
        int c = 0;
        if (opened) {
            try {
                c = s.read();
            } finally {
                s.close();
            }
        }
        return c;
    }

    /* right: a loop with one way out */
    public int count(String name) throws IOException {
        FileInputStream s = new FileInputStream(name);
        int n = 0;
        try {
            while (s.read() >= 0) n++;
        } finally {
            s.close();
        }
        return n;
    }

    /* wrong: closed in the loop and read again */
    public int closedInLoop(String name) throws IOException {
        FileInputStream s = new FileInputStream(name);
        int n = 0;
        for (; n < 10; n++) {
            if (s.read() < 0) s.close();
        }
        s.close();
        return n;
    }

    /* wrong: an early return keeps it open */
    public int leaking(String name) throws IOException {
        FileInputStream s = new FileInputStream(name);
        if (s.read() != 'P') return -2;
        s.close();
        return 0;
    }

    private static FileInputStream openOr(String name, String other) throws IOException {
        try {
            return new FileInputStream(name);
        } catch (IOException e) {
            return new FileInputStream(other);
        }
    }

    /* right: opened in a helper */
    public int either(String name, String other) throws IOException {
        FileInputStream s = openOr(name, other);
        try {
            return s.read();
        } finally {
            s.close();
        }
    }

    private static void drop(FileInputStream s, boolean keep) throws IOException {
        if (!keep) s.close();
    }

    /* wrong: the helper has closed it, unless it was to be kept */
    public int dropped(String name, boolean keep) throws IOException {
        FileInputStream s = new FileInputStream(name);
        drop(s, keep);
        int c = s.read();
        s.close();
        return c;
    }
}
