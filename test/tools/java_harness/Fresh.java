// Runs classes on every word of calls up to a length, each word on a new object of a newly loaded class, so that static state
// starts afresh. Prints what happened as Harness does; an IllegalStateException is the error.
//
//   java Fresh FOLDER LENGTH CLASS...
import java.io.File;
import java.lang.reflect.*;
import java.net.*;
import java.util.*;

public class Fresh {
    record Letter(Method method, Object[] arguments) {}

    static List<Letter> letters(Class<?> type) {
        List<Letter> found = new ArrayList<>();
        Method[] methods = type.getDeclaredMethods();
        Arrays.sort(methods, Comparator.comparing(Method::getName));
        for (Method m : methods) {
            if (!Modifier.isPublic(m.getModifiers()) || m.isSynthetic()) continue;
            if (m.getParameterCount() == 0) {
                found.add(new Letter(m, new Object[0]));
                continue;
            }
            found.add(new Letter(m, new Object[] {false}));
            found.add(new Letter(m, new Object[] {true}));
        }
        return found;
    }

    static String outcome(Letter letter, Object object) throws Throwable {
        try {
            Object value = letter.method.invoke(object, letter.arguments);
            return letter.method.getReturnType() == void.class ? "returns" : "returns=" + value;
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause();
            if (thrown instanceof IllegalStateException) return "ERROR";
            StringBuilder names = new StringBuilder("throws=");
            for (Class<?> c = thrown.getClass(); c != Object.class; c = c.getSuperclass())
                names.append(c == thrown.getClass() ? "" : "|").append(c.getSimpleName());
            return names.toString();
        }
    }

    /// The outcomes of a word, up to its first error.
    static List<String> run(URL[] path, String name, int[] word) throws Throwable {
        try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
            Class<?> type = loader.loadClass(name);
            List<Letter> letters = letters(type);
            Object object = type.getDeclaredConstructor().newInstance();
            List<String> told = new ArrayList<>();
            for (int index : word) {
                Letter letter = letters.get(index);
                String outcome = outcome(letter, object);
                told.add(letter.method.getName() + ":" + outcome);
                if (outcome.equals("ERROR")) break;
            }
            return told;
        }
    }

    static void extend(URL[] path, String name, int[] word, int size, int length) throws Throwable {
        if (word.length > 0) {
            List<String> told = run(path, name, word);
            if (told.size() < word.length) return; // it ended before
            boolean erred = told.get(told.size() - 1).endsWith(":ERROR");
            if (erred || word.length == length) {
                System.out.println(String.join(" ", told));
                return;
            }
        }
        for (int i = 0; i < size; i++) {
            int[] longer = Arrays.copyOf(word, word.length + 1);
            longer[word.length] = i;
            extend(path, name, longer, size, length);
        }
    }

    public static void main(String[] arguments) throws Throwable {
        URL[] path = {new File(arguments[0]).toURI().toURL()};
        for (int i = 2; i < arguments.length; i++) {
            System.out.println("== " + arguments[i]);
            int size;
            try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
                size = letters(loader.loadClass(arguments[i])).size();
            }
            extend(path, arguments[i], new int[0], size, Integer.parseInt(arguments[1]));
        }
    }
}
