// Runs a real class on every word of calls up to a length, with a few sample arguments for each
// parameter, and prints what happened, one word a line: `open:returns read:returns=true close:ERROR`.
//
//   java Harness CLASS LENGTH ERROR METHOD...      METHOD: name, or name(simple,types)
//
// An exception is the client's error if it is an ERROR and the frame that threw it belongs to the class,
// its superclasses or its nest. Other exceptions are outcomes, with the simple names of their classes up
// to Exception: `throws=SocketException|IOException`.
import java.io.*;
import java.lang.reflect.*;
import java.net.*;
import java.security.*;
import java.util.*;

public class Harness {
    static final class Call {
        final String name;
        final Method method;
        final List<Object[]> samples;
        Call(String name, Method method, List<Object[]> samples) {
            this.name = name;
            this.method = method;
            this.samples = samples;
        }
    }

    static final int FOLLOWED = 4; // runs with the same letters

    static Class<?> type;
    static Class<?> error;
    static ServerSocket server;
    static KeyPair keys;

    /// A fresh object in its start state.
    static Object make() throws Throwable {
        switch (type.getName()) {
        case "java.util.ArrayList$ListItr": return new ArrayList<>(List.of("a", "b")).listIterator();
        case "java.util.LinkedList$ListItr": return new LinkedList<>(List.of("a", "b")).listIterator();
        case "java.util.AbstractList$ListItr": {
            List<Object> items = new ArrayList<>(List.of("a", "b"));
            return new AbstractList<Object>() {
                public Object get(int i) { return items.get(i); }
                public int size() { return items.size(); }
                public Object set(int i, Object x) { return items.set(i, x); }
                public void add(int i, Object x) { modCount++; items.add(i, x); }
                public Object remove(int i) { modCount++; return items.remove(i); }
            }.listIterator();
        }
        case "java.security.Signature": return Signature.getInstance("SHA256withRSA");
        case "java.security.MessageDigest": return MessageDigest.getInstance("SHA-256");
        default:
            Constructor<?> chosen = null;
            for (Constructor<?> c : type.getDeclaredConstructors())
                if (!c.isSynthetic() && (chosen == null || c.getParameterCount() < chosen.getParameterCount()))
                    chosen = c;
            chosen.setAccessible(true);
            Object[] arguments = new Object[chosen.getParameterCount()];
            for (int i = 0; i < arguments.length; i++)
                arguments[i] = samples(chosen.getParameterTypes()[i]).get(0);
            return chosen.newInstance(arguments);
        }
    }

    static List<Object> samples(Class<?> t) throws Exception {
        if (t == int.class) return List.of(1, 0, -1);
        if (t == long.class) return List.of(1L, 0L, -1L);
        if (t == boolean.class) return List.of(true, false);
        if (t == byte.class) return List.of((byte) 1);
        if (t == char.class) return List.of('a');
        if (t == short.class) return List.of((short) 1);
        if (t == double.class) return List.of(1.0, 0.0);
        if (t == float.class) return List.of(1.0f, 0.0f);
        if (t == byte[].class) return List.of(new byte[256]);
        if (t == int[].class) return Arrays.asList(new int[] {1, 2}, new int[0]);
        if (t == char[].class) return List.of("some text".toCharArray());
        if (t == CharSequence.class) return List.of("a");
        if (t == java.nio.CharBuffer.class) return List.of(java.nio.CharBuffer.allocate(4));
        if (t == Reader.class) return List.of(new StringReader("one\ntwo\nthree"));
        if (t == Writer.class) return List.of(new StringWriter());
        if (t == InputStream.class) return List.of(new ByteArrayInputStream(new byte[64]));
        if (t == OutputStream.class) return List.of(new ByteArrayOutputStream());
        if (t == java.util.function.Consumer.class)
            return List.of((java.util.function.Consumer<Object>) x -> { });
        if (t == String.class) return Arrays.asList("a", "");
        if (t == Object.class) return Arrays.asList("x", null);
        if (t == PrivateKey.class) return List.of(keys().getPrivate());
        if (t == PublicKey.class) return List.of(keys().getPublic());
        if (t == PipedInputStream.class) return List.of(new PipedInputStream(1 << 16));
        if (t == SocketAddress.class) return List.of(server().getLocalSocketAddress());
        if (t.isEnum()) return Arrays.asList(t.getEnumConstants());
        return Arrays.asList((Object) null);
    }

    static KeyPair keys() throws Exception {
        if (keys == null) {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(1024);
            keys = generator.generateKeyPair();
        }
        return keys;
    }

    static ServerSocket server() throws Exception {
        if (server == null) {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            Thread accepting = new Thread(() -> {
                List<Socket> kept = new ArrayList<>();
                try {
                    while (true) kept.add(server.accept());
                } catch (IOException done) {
                }
            });
            accepting.setDaemon(true);
            accepting.start();
        }
        return server;
    }

    /// Arguments made anew for each run where the call consumes them.
    static Object[] arguments(Call call, int sample) throws Exception {
        Object[] given = call.samples.get(sample).clone();
        Class<?>[] types = call.method.getParameterTypes();
        for (int i = 0; i < given.length; i++) {
            if (types[i] == PipedInputStream.class) given[i] = new PipedInputStream(1 << 16);
            if (call.name.startsWith("bind")) given[i] = null;
            // A timeout in milliseconds: one would be too short on a busy machine.
            if (call.name.startsWith("connect") && given[i] instanceof Integer n && n > 0) given[i] = 10_000;
            if (call.name.startsWith("verify") && types[i] == byte[].class) given[i] = new byte[128];
        }
        return given;
    }

    static String simple(Class<?> t) {
        return t.isArray() ? simple(t.getComponentType()) + "[]" : t.getSimpleName();
    }

    static String spelled(Method m) {
        StringBuilder text = new StringBuilder(m.getName()).append('(');
        for (int i = 0; i < m.getParameterCount(); i++)
            text.append(i > 0 ? "," : "").append(simple(m.getParameterTypes()[i]));
        return text.append(')').toString();
    }

    static Call find(String wanted) throws Exception {
        for (Class<?> at : lineage(type))
            for (Method m : at.getDeclaredMethods()) {
                if (!Modifier.isPublic(m.getModifiers()) || Modifier.isStatic(m.getModifiers()) || m.isBridge()) continue;
                if (!spelled(m).equals(wanted) && !m.getName().equals(wanted)) continue;
                m.setAccessible(true);
                List<Object[]> all = new ArrayList<>();
                all.add(new Object[0]);
                for (Class<?> t : m.getParameterTypes()) {
                    List<Object[]> longer = new ArrayList<>();
                    for (Object[] before : all)
                        for (Object value : samples(t)) {
                            Object[] one = Arrays.copyOf(before, before.length + 1);
                            one[before.length] = value;
                            longer.add(one);
                        }
                    all = longer;
                }
                return new Call(wanted, m, all);
            }
        throw new IllegalArgumentException("no method " + wanted);
    }

    static List<Class<?>> lineage(Class<?> t) {
        List<Class<?>> all = new ArrayList<>();
        for (Class<?> at = t; at != null; at = at.getSuperclass()) all.add(at);
        for (int i = 0; i < all.size(); i++)
            for (Class<?> face : all.get(i).getInterfaces())
                if (!all.contains(face)) all.add(face);
        return all;
    }

    static boolean own(String frame) {
        for (Class<?> at : lineage(type))
            if (at != Object.class && at.getName().equals(frame)) return true;
        String outermost = type.getName().replaceAll("\\$.*", "");
        return frame.equals(outermost) || frame.startsWith(outermost + "$");
    }

    /// Whether somebody else's failure is behind it.
    static boolean translated(Throwable why) {
        for (Throwable cause = why.getCause(); cause != null; cause = cause.getCause()) {
            StackTraceElement[] frames = cause.getStackTrace();
            if (frames.length == 0 || !own(frames[0].getClassName())) return true;
        }
        return false;
    }

    static String outcome(Call call, Object on, Object[] given) throws Exception {
        try {
            Object result = call.method.invoke(on, given);
            Class<?> returned = call.method.getReturnType();
            if (returned == void.class) return "returns";
            if (result == null || returned.isPrimitive()) return "returns=" + result;
            return result instanceof Enum ? "returns=" + result : "returns";
        } catch (InvocationTargetException thrown) {
            Throwable why = thrown.getCause();
            StackTraceElement[] frames = why.getStackTrace();
            if (error.isInstance(why) && frames.length > 0 && own(frames[0].getClassName()) && !translated(why))
                return "ERROR";
            StringBuilder names = new StringBuilder("throws=");
            for (Class<?> at = why.getClass(); at != Object.class; at = at.getSuperclass())
                names.append(names.length() > 7 ? "|" : "").append(at.getSimpleName());
            return names.toString();
        }
    }

    /// With `@FILE`, each line of the file is one set of arguments, and `== CLASS` precedes its words.
    public static void main(String[] args) throws Throwable {
        PrintStream out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false);
        if (args[0].startsWith("@")) {
            for (String line : java.nio.file.Files.readAllLines(java.nio.file.Path.of(args[0].substring(1)))) {
                out.println("== " + line.split(" ")[0]);
                run(line.split(" "), out);
            }
        } else {
            run(args, out);
        }
        out.flush();
        System.exit(0);
    }

    static void run(String[] args, PrintStream out) throws Throwable {
        type = Class.forName(args[0]);
        int length = Integer.parseInt(args[1]);
        error = Class.forName(args[2]);
        List<Call> calls = new ArrayList<>();
        for (int i = 3; i < args.length; i++) calls.add(find(args[i]));
        Set<String> words = new LinkedHashSet<>();
        // Words as lists of (call, sample), in order of length.
        List<int[]> frontier = new ArrayList<>();
        frontier.add(new int[0]);
        for (int n = 1; n <= length; n++) {
            List<int[]> next = new ArrayList<>();
            Map<String, Set<String>> seen = new HashMap<>();
            for (int[] prefix : frontier)
                for (int c = 0; c < calls.size(); c++)
                    for (int s = 0; s < calls.get(c).samples.size(); s++) {
                        int[] word = Arrays.copyOf(prefix, prefix.length + 2);
                        word[prefix.length] = c;
                        word[prefix.length + 1] = s;
                        Object on = make();
                        StringBuilder text = new StringBuilder();
                        boolean died = false;
                        for (int i = 0; i < word.length && !died; i += 2) {
                            Call call = calls.get(word[i]);
                            String got = outcome(call, on, arguments(call, word[i + 1]));
                            text.append(i > 0 ? " " : "").append(call.name).append(':').append(got);
                            died = got.equals("ERROR");
                        }
                        if (on instanceof Closeable) {
                            try {
                                ((Closeable) on).close();
                            } catch (IOException ignored) {
                            }
                        }
                        String line = text.toString();
                        words.add(line);
                        // The same letters by other arguments may lead elsewhere; a few are followed.
                        StringBuilder key = new StringBuilder();
                        for (int i = 1; i < word.length; i += 2) key.append(word[i] % 2);
                        Set<String> followed = seen.computeIfAbsent(line, x -> new HashSet<>());
                        if (!died && followed.size() < FOLLOWED && followed.add(key.toString())) next.add(word);
                    }
            frontier = next;
        }
        for (String line : words) out.println(line);
    }
}
