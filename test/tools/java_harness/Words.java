import java.lang.reflect.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

/**
 * Runs random words of classes and prints what happened, one trace a line in the format that 'tacit replay --trace' reads.
 * Usage: Words FOLDER COUNT, with a line "CLASS ERROR..." for every class on standard input. Every word has classes of its own, so
 * that static fields and initialisers start anew.
 */
public class Words {
  private static final String[] TEXTS = {"a", "b", "A", "", " ", null, "open", "12"};
  private static final int LENGTH = 6;
  private final Random random = new Random(7);
  private final Set<String> errors;
  private final List<Object> results = new ArrayList<>();

  Words(Set<String> errors) { this.errors = errors; }

  static String json(Object o) {
    if (o == null) return "null";
    if (o instanceof Boolean || o instanceof Byte || o instanceof Short || o instanceof Integer || o instanceof Long) return o.toString();
    if (o instanceof Double || o instanceof Float) return Double.isFinite(((Number) o).doubleValue()) ? o.toString() : "\"" + o + "\"";
    if (o instanceof Enum<?>) return "\"" + ((Enum<?>) o).name() + "\"";
    if (o instanceof String || o instanceof Character) {
      StringBuilder text = new StringBuilder("\"");
      for (char c : o.toString().toCharArray())
        text.append(c < ' ' || c == '"' || c == '\\' || c > '~' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
      return text.append('"').toString();
    }
    return "\"<" + o.getClass().getSimpleName() + System.identityHashCode(o) + ">\"";
  }

  private static String list(Object[] values) {
    StringJoiner all = new StringJoiner(", ", "[", "]");
    for (Object value : values) all.add(json(value));
    return all.toString();
  }

  private static String signature(String name, Class<?>[] types) {
    StringJoiner all = new StringJoiner(",", name + "(", ")");
    for (Class<?> type : types) all.add(type.getSimpleName());
    return all.toString();
  }

  private Object sample(Class<?> type) {
    for (Object result : results)
      if (result.getClass() == (type == int.class ? Integer.class : type) && random.nextInt(3) == 0) return result;
    if (type == int.class || type == Integer.class) return random.nextInt(12) == 0 ? Integer.MAX_VALUE : random.nextInt(5) - 1;
    if (type == long.class || type == Long.class) return random.nextInt(12) == 0 ? Long.MAX_VALUE : (long) random.nextInt(5) - 1;
    if (type == short.class) return (short) (random.nextInt(5) - 1);
    if (type == byte.class) return (byte) (random.nextInt(5) - 1);
    if (type == boolean.class) return random.nextBoolean();
    if (type == double.class) return new double[] {0, 1, -1.5, Double.NaN}[random.nextInt(4)];
    if (type == char.class) return "aZ09 ".charAt(random.nextInt(5));
    if (type == String.class || type == CharSequence.class) return TEXTS[random.nextInt(TEXTS.length)];
    if (type == Object.class) return random.nextBoolean() ? "a" : Integer.valueOf(random.nextInt(3));
    if (type.isEnum()) return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
    if (type == int[].class) return new int[random.nextInt(4)];
    if (type == Runnable.class) return (Runnable) () -> { };
    return null;
  }

  private Object[] samples(Class<?>[] types) {
    Object[] made = new Object[types.length];
    for (int i = 0; i < made.length; i++) made[i] = sample(types[i]);
    return made;
  }

  private static List<Method> methods(Class<?> type) {
    List<Method> all = new ArrayList<>();
    for (Method m : type.getMethods())
      if (!Modifier.isStatic(m.getModifiers()) && !m.isSynthetic() && m.getDeclaringClass() != Object.class) all.add(m);
    all.sort(Comparator.comparing(Method::toString));
    return all;
  }

  private String word(Class<?> type) throws Exception {
    results.clear();
    Constructor<?>[] constructors = type.getConstructors();
    Constructor<?> constructor = constructors[random.nextInt(constructors.length)];
    Object[] values = samples(constructor.getParameterTypes());
    StringBuilder told = new StringBuilder("{\"constructor\": \"" + signature(type.getSimpleName(), constructor.getParameterTypes())
        + "\", \"constructor_args\": " + list(values) + ", \"calls\": [");
    Object object;
    try {
      object = constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      String name = e.getCause().getClass().getName();
      return told + "], \"errs\": " + errors.contains(name) + ", \"constructor_outcome\": \"throws=" + name + "\"}";
    }
    List<Method> all = methods(type);
    boolean errs = false;
    for (int left = 1 + random.nextInt(LENGTH), at = 0; at < left && !errs; at++) {
      Method method = all.get(random.nextInt(all.size()));
      method.setAccessible(true);
      Object[] arguments = samples(method.getParameterTypes());
      String outcome = "returns", spelled = list(arguments);
      Object result = null;
      try {
        result = method.invoke(object, arguments);
      } catch (InvocationTargetException e) {
        outcome = "throws=" + e.getCause().getClass().getName();
        errs = errors.contains(e.getCause().getClass().getName());
      }
      if (result != null) results.add(result);
      long same = all.stream().filter(m -> m.getName().equals(method.getName())).count();
      told.append(at == 0 ? "" : ", ").append("{\"call\": \"" + (same > 1 ? signature(method.getName(), method.getParameterTypes()) : method.getName())
          + "\", \"args\": " + spelled + ", \"outcome\": \"" + outcome + "\", \"result\": " + json(result) + "}");
    }
    return told + "], \"errs\": " + errs + "}";
  }

  public static void main(String[] a) throws Exception {
    URL[] folder = {Path.of(a[0]).toUri().toURL()};
    Scanner lines = new Scanner(System.in);
    while (lines.hasNextLine()) {
      String[] words = lines.nextLine().split(" ");
      System.out.println("== " + words[0]);
      Words run = new Words(new HashSet<>(Arrays.asList(words).subList(1, words.length)));
      for (int i = 0; i < Integer.parseInt(a[1]); i++)
        try (URLClassLoader loader = new URLClassLoader(folder, ClassLoader.getPlatformClassLoader())) {
          System.out.println(run.word(loader.loadClass(words[0])));
        }
    }
    System.exit(0);
  }
}
