#!/usr/bin/env python3
"""Small Java classes, one feature each: what Tacit claims to have proved agrees with the JVM on all words up to
length 5, in both readings of integers. Needs javac; without it there is nothing to do."""
import concurrent.futures, glob, json, os, shutil, subprocess, sys, tempfile

from _protocol import ROOT, TACIT, run_for

sys.path.insert(0, os.path.join(ROOT, 'test', 'tools', 'java_harness'))
import harness  # noqa: E402

LENGTH = 5
SECONDS = 20  # per run
# Bases and interfaces of other classes.
HELPERS = {'InheritedBase', 'HiddenFieldBase', 'DefaultMethodFace'}
# What the class is there to show is not tracked; these need not be settled, only not be wrong.
OPEN = {'ArrayElements', 'FixedCollections', 'PastTheLimit', 'WrittenExceptions', 'HelperThrows', 'FunctionsHandedOn', 'FunctionsRunFunctions', 'ExceptionCode', 'MachineRefuses', 'LibraryCallbacks', 'EnumBehindInterface', 'EnumToString', 'RecordCases', 'EnumBodies', 'EnumMethods', 'Floating', 'Identity', 'InstanceOf', 'Nested', 'OwnCallbacks', 'Recursion',
        'Resources', 'StaticNested'}
# Counters without an end.
COUNTERS = {'CounterRunsPast', 'FinallySwallows', 'LabelledContinue', 'PlainCounter', 'StaticShared'}
FULL = os.environ.get('TACIT_FULL') == '1'
# The two readings of integers differ for these; in full runs all classes are tried in both.
BOTH = {'BytePacking', 'IntegerWrap', 'LongToInt', 'LongArithmetic', 'BitFlags', 'Shifts', 'Characters', 'Division', 'Remainder', 'PastTheLimit'}


def synthesise(job):
    name, integers, classes, out = job
    path = os.path.join(out, '%s.%s.json' % (name, integers))
    done = run_for([TACIT, 'synth', '--arguments', 'demonic', '--error', 'throws:java.lang.IllegalStateException', os.path.join(classes, name + '.class'), '--integers', integers, '--time', str(SECONDS),
                           '-o', path], 2 * SECONDS)
    if done is None:
        return name, integers, None, 'took more than %d s with --time %d' % (2 * SECONDS, SECONDS)
    if done.returncode not in (0, 3):
        return name, integers, None, done.stdout + done.stderr
    return name, integers, json.load(open(path)), ''


def main():
    if not shutil.which('javac') or not shutil.which('java'):
        print('no JDK here: skipped')
        return 0
    sources = sorted(glob.glob(os.path.join(ROOT, 'test', 'java', 'torture', '*.java')))
    names = [n for n in (os.path.basename(s)[:-5] for s in sources) if n not in HELPERS]
    failures, proved = [], 0
    if len(names) < 40:
        failures.append('only %d classes' % len(names))
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(['javac', '-g', '-d', folder] + sources, check=True)
        harness.compile_harness(folder)
        jobs = [(n, i, folder, folder) for n in names for i in ('math', 'machine')
                if i == 'math' or FULL or n in BOTH]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = list(pool.map(synthesise, jobs))
        methods = {n: r['methods'] for n, _, r, _ in results if r}
        words = harness.run_many(folder, [(n, LENGTH, 'java.lang.IllegalStateException', m) for n, m in methods.items()],
                                 [folder])
        for name, integers, result, message in results:
            if result is None:
                failures.append('%s: %s' % (name, message.strip()))
                continue
            verdict = result['verdict']
            # The JVM wraps; mathematical integers are a listed assumption.
            if name == 'IntegerWrap' and integers == 'math':
                continue
            # A counter that wraps around has too many states for anybody.
            wraps = integers == 'machine' and name in COUNTERS
            for problem in harness.compare(result, words[name]):
                failures.append('%s (%s): %s' % (name, integers, problem))
            settled = verdict['safe'] == 'proved' and verdict['permissive'] == 'proved'
            proved += settled
            if not settled and name not in OPEN and not wraps:
                failures.append('%s (%s): safe %s, permissive %s: %s' % (
                    name, integers, verdict['safe'], verdict['permissive'], verdict.get('details')))
    for failure in failures:
        print(failure)
    print('%d classes, %d results proved of %d, %d failures' % (len(names), proved, len(results), len(failures)))
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
