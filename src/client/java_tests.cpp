#include "client/java_tests.h"

#include <algorithm>
#include <set>

#include <fmt/ranges.h>

#include "client/c_expression.h"
#include "client/test_text.h"
#include "frontend/java/descriptor.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

using java::ClassFile;
using java::JavaType;
using java::Method;
using java::Signature;

constexpr std::string_view helpers = R"(
    interface Call { String run() throws Throwable; }
    interface Test { void run(Story story) throws Throwable; }

    /** How fakes behave: what their methods return, or what they throw. */
    record Mood(boolean yes, String thrown) { }

    /** One run of a test: what it saw that it should not have seen, or why it could not go on. */
    static final class Story {
        String wrong, ended;
        boolean faked;
        Mood mood;
        final Mood last;
        final Map<String, Object> named = new HashMap<>();

        Story(Mood first, Mood last) { this.mood = first; this.last = last; }

        static String outcome(Call call) {
            try {
                return call.run();
            } catch (Throwable thrown) {
                return "throws=" + thrown.getClass().getName();
            }
        }
        static boolean isError(String seen) {
            if (seen.equals("error")) return true;
            if (!seen.startsWith("throws=")) return false;
            try {
                for (Class<?> c = Class.forName(seen.substring(7)); c != null; c = c.getSuperclass())
                    for (String error : ERRORS) if (error.equals("*") || error.equals(c.getName())) return true;
            } catch (ClassNotFoundException gone) {
                return false;
            }
            return false;
        }
        static boolean has(List<String> outcomes, String seen) {
            String simple = seen.startsWith("throws=") ? "throws=" + seen.substring(Math.max(seen.lastIndexOf('.'), Math.max(seen.lastIndexOf('$'), 6)) + 1) : seen;
            for (String one : outcomes) if (one.equals(seen) || one.equals(simple) || one.equals("*")) return true;
            return false;
        }

        /** The protocol allows the call. True: it came to what the test needs to go on. */
        boolean allowed(String shown, List<String> wanted, List<String> possible, Call call) {
            String seen = outcome(call);
            if (has(wanted, seen)) return true;
            if (has(possible, seen) || (faked && mood.thrown() != null && seen.startsWith("throws="))) ended = shown + " came to " + seen;
            else wrong = shown + " is allowed and came to " + seen;
            return false;
        }
        void refused(String shown, Call call) {
            String seen = outcome(call);
            if (!isError(seen)) wrong = shown + " should err and came to " + seen;
        }
        void lastStep() { mood = last; }

        Object named(String name, Supplier<Object> make) { return named.computeIfAbsent(name, key -> make.get()); }

        /** An object that the client hands in: it does as the mood says. */
        <T> T fake(String name, Class<T> type) {
            faked = true;
            return type.cast(named(name + type.getName(), () -> Proxy.newProxyInstance(type.getClassLoader() == null ? Story.class.getClassLoader() : type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> answer(self, method, arguments))));
        }
        Object answer(Object self, Method method, Object[] arguments) throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                if (method.getName().equals("equals")) return self == arguments[0];
                return method.getName().equals("hashCode") ? (Object) System.identityHashCode(self) : "a fake";
            }
            if (mood.thrown() != null) {
                Throwable made = made(mood.thrown());
                if (made instanceof RuntimeException || made instanceof Error) throw made;
                for (Class<?> declared : method.getExceptionTypes()) if (declared.isInstance(made)) throw made;
            }
            Class<?> type = method.getReturnType();
            if (type == boolean.class || type == Boolean.class) return mood.yes();
            if (type == int.class || type == Integer.class) return mood.yes() ? 1 : 0;
            if (type == long.class || type == Long.class) return mood.yes() ? 1L : 0L;
            if (type == short.class) return (short) (mood.yes() ? 1 : 0);
            if (type == byte.class) return (byte) (mood.yes() ? 1 : 0);
            if (type == char.class) return mood.yes() ? 'a' : '\0';
            if (type == double.class || type == Double.class) return mood.yes() ? 1.0 : 0.0;
            if (type == float.class || type == Float.class) return mood.yes() ? 1f : 0f;
            if (type == Optional.class) return mood.yes() ? Optional.of("a") : Optional.empty();
            if (type == void.class || !mood.yes()) return null;
            if (type == String.class || type == Object.class || type == CharSequence.class) return "a";
            return type.isInterface() ? fake("of a fake", type) : null;
        }
        static Throwable made(String name) {
            try {
                for (var constructor : Class.forName(name).getDeclaredConstructors()) {
                    Object[] arguments = new Object[constructor.getParameterCount()];
                    for (int i = 0; i < arguments.length; ++i) if (constructor.getParameterTypes()[i] == String.class) arguments[i] = "made by a fake";
                    try {
                        constructor.setAccessible(true);
                        return (Throwable) constructor.newInstance(arguments);
                    } catch (Exception notSo) {
                        continue;
                    }
                }
            } catch (ClassNotFoundException gone) {
                return new IllegalStateException(gone);
            }
            return new RuntimeException("made by a fake");
        }
    }

    static int passed, failed, skipped;

    /** Fakes behave in all ways, one after the other, until the test gets where it wants to be. */
    static void play(String title, Test test) {
        Story story = null;
        for (Mood first : MOODS)
            for (Mood last : MOODS) {
                story = new Story(first, last);
                try {
                    test.run(story);
                } catch (Throwable thrown) {
                    // Only making the object can end here; it may fail for a reason that is no error of the client.
                    String seen = "throws=" + thrown.getClass().getName();
                    if (Story.isError(seen) && !(story.faked && first.thrown() != null)) story.wrong = "making the object came to " + seen;
                    else story.ended = "making the object came to " + seen;
                }
                if (story.wrong != null || story.ended == null || !story.faked) {
                    tell(title, story);
                    return;
                }
            }
        tell(title, story);
    }
    static void tell(String title, Story story) {
        if (story.wrong != null) {
            ++failed;
            System.out.println("FAILED " + title + ": " + story.wrong);
        } else if (story.ended != null) {
            ++skipped;
            System.out.println("skipped " + title + ": " + story.ended);
        } else {
            ++passed;
        }
    }
)";

std::string list(const std::vector<std::string>& items) {
  std::vector<std::string> all;
  for (const std::string& item : items) all.push_back(java_quoted(item));
  return fmt::format("List.of({})", fmt::join(all, ", "));
}

class JavaTests {
public:
  JavaTests(const InterfaceProgram& program, java::ClassPool& pool, const ClassFile& file)
      : program_(program), interface_(program.interface()), pool_(pool), file_(file),
        walk_(interface_) {}

  Result<WrittenTests> run() {
    if (file_.is(java::access::is_abstract))
      return fail("{} is abstract: no object of it can be made", java::dotted(file_.name));
    if (source_type(file_.name).empty())
      return fail("{} cannot be named in another class", java::dotted(file_.name));
    const TestLanguage language{
        .cannot_call = [&](const std::string& name,
                           bool constructor) { return cannot_call(name, constructor); },
        .can_write =
            [&](const std::string& name, bool constructor, std::size_t parameter,
                const WrittenValue& value) {
              const auto signature = signature_of(name, constructor);
              return signature && parameter < signature->parameters.size() &&
                     argument(signature->parameters[parameter], value).has_value();
            }};
    WrittenTests written;
    class_name_ = identifier(java::unpackaged(file_.name)) + "ProtocolTest";
    written.file = class_name_ + ".java";
    written.plan = plan_tests(program_, walk_, language);
    written.text = text(written.plan);
    return written;
  }

private:
  // ---- Types and methods.

  /// How a class is written in the package of the component; empty when it cannot be.
  std::string source_type(const std::string& name) const {
    const ClassFile* known = pool_.find(name);
    const std::string package = file_.name.substr(0, file_.name.rfind('/') + 1);
    const bool beside =
        name.starts_with(package) && name.find('/', package.size()) == std::string::npos;
    // Of a nested class only "public" can be told from "private".
    const bool visible = known && (known->is(java::access::is_public) ||
                                   (beside && name.find('$') == std::string::npos));
    if (!visible) return "";
    for (auto at = name.find('$'); at != std::string::npos; at = name.find('$', at + 1)) {
      const ClassFile* around = pool_.find(name.substr(0, at));
      if (!around || at + 1 == name.size() ||
          (std::isdigit(static_cast<unsigned char>(name[at + 1])) != 0) ||
          (!around->is(java::access::is_public) && !beside))
        return "";
    }
    std::string made = java::dotted(name);
    std::ranges::replace(made, '$', '.');
    return made;
  }

  std::optional<Method> method_of(const std::string& name, bool constructor) const {
    std::string wanted = name;
    for (const ProgramCall& call : program_.calls())
      if (!constructor && call.name == name) wanted = call.method;
    const auto chain = pool_.ancestry(file_);
    if (!chain) return std::nullopt;
    for (const ClassFile* type : *chain)
      for (const Method& method : type->methods) {
        const bool is_constructor = method.name == "<init>";
        if (is_constructor != constructor || (constructor && type != &file_) ||
            method.is(java::access::is_private | java::access::is_synthetic |
                      java::access::is_static))
          continue;
        const auto signature = java::parse_signature(method.descriptor);
        const std::string bare = constructor ? simple_name(file_.name) : method.name;
        if (signature &&
            (wanted == bare || wanted == bare + signature->simple() ||
             (constructor && bare_name(wanted) == bare && wanted.ends_with(signature->simple()))))
          return method;
      }
    return std::nullopt;
  }

  std::optional<Signature> signature_of(const std::string& name, bool constructor) const {
    const auto method = method_of(name, constructor);
    return method ? java::parse_signature(method->descriptor) : std::nullopt;
  }

  std::string cannot_call(const std::string& name, bool constructor) const {
    const auto method = method_of(name, constructor);
    if (!method) return fmt::format("{} is not found in the class, or is not accessible", name);
    const auto signature = java::parse_signature(method->descriptor);
    if (!signature || signature->parameters.size() != walk_.procedure(name).parameters.size())
      return fmt::format("the arguments of {} are not those of the source", name);
    for (const JavaType& type : signature->parameters)
      if (!argument(type, {}) && !type.is_reference())
        return fmt::format("no {} can be written", type.simple());
    return "";
  }

  // ---- Values.

  std::optional<std::string> primitive(const JavaType& type, const WrittenValue& value) const {
    using V = WrittenValue::Kind;
    if (value.kind != V::Number && value.kind != V::Bool && value.kind != V::Missing)
      return std::nullopt;
    const std::string number = to_string(value.number);
    switch (type.letter) {
    case 'Z': return value.number != 0 ? "true" : "false";
    case 'I':
      if (value.number == -2147483648LL) return "Integer.MIN_VALUE";
      return number;
    case 'J':
      if (value.number <= std::numeric_limits<std::int64_t>::min()) return "Long.MIN_VALUE";
      return number + "L";
    case 'B': return fmt::format("(byte) ({})", number);
    case 'S': return fmt::format("(short) ({})", number);
    case 'C': return fmt::format("(char) ({})", number);
    case 'F': return number + "f";
    case 'D': return number + "d";
    default: return std::nullopt;
    }
  }

  /// `byte[][]`; empty when the elements cannot be named.
  std::string array_type(const JavaType& type) const {
    std::string_view rest = type.name;
    std::string brackets;
    for (; rest.starts_with('['); rest.remove_prefix(1)) brackets += "[]";
    const auto element = java::parse_type(rest);
    if (!element) return "";
    const std::string name =
        element->is_reference() ? source_type(element->name) : element->simple();
    return name.empty() ? "" : name + brackets;
  }

  std::optional<std::string> array(const JavaType& type) const {
    std::string name = array_type(type);
    if (name.empty()) return std::nullopt;
    return "new " + name.insert(name.find('[') + 1, "64");
  }

  bool can_be_made(const ClassFile& file) const {
    if (file.is(java::access::is_abstract) || file.name.find('$') != std::string::npos)
      return false;
    const Method* constructor = file.find_method("<init>", "()V");
    return constructor && constructor->is(java::access::is_public) && constructor->throws.empty();
  }

  std::optional<std::string> argument(const JavaType& type, const WrittenValue& value) const {
    using V = WrittenValue::Kind;
    if (!type.is_reference()) return primitive(type, value);
    if (value.kind == V::Null) {
      const std::string name = type.letter == 'L' ? source_type(type.name) : array_type(type);
      return name.empty() ? "null" : fmt::format("({}) null", name);
    }
    if (type.letter == '[')
      return value.kind == V::Object || value.kind == V::Missing ? array(type) : std::nullopt;
    const bool takes_text =
        type.name == "java/lang/String" || type.name == "java/lang/CharSequence";
    if (value.kind == V::Text)
      return takes_text ? std::optional(java_quoted(value.text)) : std::nullopt;
    const ClassFile* file = pool_.find(type.name);
    const std::string name = source_type(type.name);
    if (!file || name.empty()) return std::nullopt;
    if (value.kind == V::Bare && file->is(java::access::is_enum)) {
      const std::string constant = simple_name(value.text);
      const java::Field* field = file->find_field(constant);
      return field ? std::optional(name + "." + constant) : std::nullopt;
    }
    if (value.kind != V::Object && value.kind != V::Missing) return std::nullopt;
    if (takes_text)
      return value.kind == V::Missing ? std::optional<std::string>("\"\"") : std::nullopt;
    if (file->is(java::access::is_interface))
      return fmt::format("story.fake({}, {}.class)", java_quoted(value.text), name);
    if (!can_be_made(*file)) return std::nullopt;
    return fmt::format("({}) story.named({}, () -> new {}())", name,
                       java_quoted(value.text + "#" + name), name);
  }

  std::string arguments(const Signature& signature, const PlannedStep& step) const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < signature.parameters.size(); ++i)
      all.push_back(argument(signature.parameters[i], step.arguments.at(i)).value_or("null"));
    return fmt::format("{}", fmt::join(all, ", "));
  }

  // ---- Calls.

  /// A condition on a result in Java: that of C, but for the types.
  std::optional<std::string> condition(Term term, Term result, const JavaType& type) const {
    if (!term) return std::nullopt;
    // An enumerator is compared by its name, which c_expression would make a number.
    if (result->sort->kind == SortKind::Enum) return enumeration_test(term, result);
    const auto text = c_expression(term, [&](Term variable) -> std::optional<std::string> {
      return variable == result ? std::optional<std::string>("result") : std::nullopt;
    });
    if (!text) return std::nullopt;
    if (type.is_reference()) return boxed_test(term, result);
    std::string made = *text;
    for (auto at = made.find("LL"); at != std::string::npos; at = made.find("LL"))
      made.erase(at, 1);
    for (auto at = made.find("(long long)"); at != std::string::npos; at = made.find("(long long)"))
      made.replace(at, 11, "(long) ");
    return made;
  }

  static std::optional<std::string> boxed_test(Term term, Term result) {
    const bool negated = term->op == Op::Not;
    const Term test = negated ? term->args[0] : term;
    if (test == result) return negated ? "result == null" : "result != null";
    if (test->op != Op::Eq) return std::nullopt;
    const Term other = test->args[0] == result ? test->args[1] : test->args[0];
    if (other->op != Op::RefConst || other->number != 0) return std::nullopt;
    return negated ? "result != null" : "result == null";
  }

  static std::optional<std::string> enumeration_test(Term term, Term result) {
    const bool negated = term->op == Op::Not;
    const Term test = negated ? term->args[0] : term;
    if (test->op != Op::Eq) return std::nullopt;
    const Term other = test->args[0] == result ? test->args[1] : test->args[0];
    if (other->op != Op::EnumConst) return std::nullopt;
    const Enumerator& value = other->sort->decl->values[static_cast<std::size_t>(other->number)];
    return fmt::format("{}String.valueOf((Object) result).equals({})", negated ? "!" : "",
                       java_quoted(value.value < 0 ? "null" : value.name));
  }

  std::string body(const ProgramCall& call, const Signature& signature,
                   const std::string& text) const {
    if (signature.result.letter == 'V') return fmt::format("{}; return \"returns\";", text);
    const Term result = program_.result(*call.procedure);
    std::string checks;
    const auto add = [&](Term term, const std::string& outcome) {
      if (const auto written = condition(term, result, signature.result))
        checks += fmt::format(" if ({}) return {};", *written, java_quoted(outcome));
    };
    for (const Term term : error_results(program_, call)) add(term, "error");
    bool split = false;
    for (const std::string& outcome : call.outcomes)
      if (result && outcome.starts_with("returns=") && outcome != "returns=other") {
        split = true;
        add(outcome_condition(*program_.module().arena, outcome, call.outcomes, result), outcome);
      }
    const char* end = split ? "returns=other" : "returns";
    return fmt::format("var result = {};{} return \"{}\";", text, checks, end);
  }

  std::string start_text(const PlannedStep& start) const {
    const auto signature = signature_of(interface_.constructors[start.call], true);
    return fmt::format("new {}({})", source_type(file_.name), arguments(*signature, start));
  }

  std::vector<std::string> lines(const PlannedTest& test) const {
    std::vector<std::string> made;
    if (test.refused && test.steps.empty()) {
      made.push_back("story.lastStep();");
      made.push_back(fmt::format("story.refused({}, () -> {{ {}; return \"returns\"; }});",
                                 java_quoted(shown_step(interface_, test.start, true)),
                                 start_text(test.start)));
      return made;
    }
    made.push_back(
        fmt::format("final {} object = {};", source_type(file_.name), start_text(test.start)));
    for (std::size_t i = 0; i < test.steps.size(); ++i) {
      const PlannedStep& step = test.steps[i];
      const ProgramCall& call = program_.calls()[step.call];
      const auto method = method_of(call.name, false);
      const auto signature = signature_of(call.name, false);
      const std::string text =
          body(call, *signature,
               fmt::format("object.{}({})", method->name, arguments(*signature, step)));
      const std::string shown = java_quoted(shown_step(interface_, step, false));
      if (i + 1 == test.steps.size()) made.push_back("story.lastStep();");
      std::vector<std::string> possible = step.possible;
      if (step.may_err) possible.emplace_back("*");
      if (test.refused && i + 1 == test.steps.size())
        made.push_back(fmt::format("story.refused({}, () -> {{ {} }});", shown, text));
      else
        made.push_back(fmt::format("if (!story.allowed({}, {}, {}, () -> {{ {} }})) return;", shown,
                                   list(step.wanted), list(possible), text));
    }
    return made;
  }

  // ---- The file.

  /// Exceptions that are outcomes of calls: fakes may throw them.
  std::vector<std::string> moods() const {
    std::vector<std::string> all = {"new Mood(true, null)", "new Mood(false, null)"};
    std::set<std::string> thrown;
    for (const ProgramCall& call : program_.calls())
      for (const std::string& outcome : call.outcomes)
        if (const auto name = thrown_by(outcome))
          for (const Exception& one : program_.module().exceptions)
            if (simple_name(one.name) == *name) thrown.insert(one.name);
    for (const std::string& name : thrown)
      all.push_back(fmt::format("new Mood(true, {})", java_quoted(name)));
    return all;
  }

  std::string text(const TestPlan& plan) const {
    const std::string package = file_.name.substr(
        0, file_.name.rfind('/') == std::string::npos ? 0 : file_.name.rfind('/'));
    std::string made = fmt::format("// Tests of {} against its protocol, written by `tacit tests`: "
                                   "compile and run it with the component.\n",
                                   one_line(interface_.component_name));
    if (!package.empty()) made += fmt::format("package {};\n", java::dotted(package));
    made += "\nimport java.lang.reflect.Method;\nimport java.lang.reflect.Proxy;\n"
            "import java.util.HashMap;\nimport java.util.List;\nimport java.util.Map;\n"
            "import java.util.Optional;\nimport java.util.function.Supplier;\n\n";
    made +=
        fmt::format("@SuppressWarnings({{\"unchecked\", \"rawtypes\", \"cast\"}})\npublic final "
                    "class {} {{\n    static final List<String> ERRORS = {};\n"
                    "    static final List<Mood> MOODS = List.of({});\n",
                    class_name_, list(error_exceptions(program_)), fmt::join(moods(), ", "));
    made += helpers;
    std::string main;
    for (std::size_t i = 0; i < plan.tests.size(); ++i) {
      const std::string& title = plan.tests[i].title;
      const std::string name = test_name(title, i);
      made += fmt::format("\n    // {}\n    static void {}(Story story) throws Throwable {{\n",
                          one_line(title), name);
      for (const std::string& line : lines(plan.tests[i])) made += "        " + line + "\n";
      made += "    }\n";
      main += fmt::format("        play({}, {}::{});\n", java_quoted(title), class_name_, name);
    }
    made +=
        "\n    public static void main(String[] arguments) {\n" + main +
        "        System.out.println(passed + \" passed, \" + skipped + \" skipped, \" + failed + "
        "\" failed\");\n        if (failed > 0) System.exit(1);\n    }\n}\n";
    return made;
  }

  const InterfaceProgram& program_;
  const Interface& interface_;
  java::ClassPool& pool_;
  const ClassFile& file_;
  Walk walk_;
  std::string class_name_;
};

} // namespace

Result<WrittenTests> write_java_tests(const InterfaceProgram& program, java::ClassPool& pool,
                                      const std::string& class_name) {
  const auto file = pool.load(class_name);
  if (!file) return std::unexpected(file.error());
  return JavaTests(program, pool, **file).run();
}

} // namespace tacit
