#!/usr/bin/env python3
"""Java classes in which a wrong guess about the language or its library would prove something false: what Tacit claims agrees with
the JVM on some hundred random words of each, arguments and results included. In a file, `error: TYPE` names the errors (else
IllegalStateException), `tacit: OPTIONS` adds options, `note: TEXT` names an assumption that excuses what is false without it,
`lists: TEXT` names an assumption that has to be there where safety is claimed: no word of calls shows what it is about.
`open: REASON` says that nothing need be proved. Arguments are paths of other files. Needs a JDK."""
import json, re, shutil, subprocess, sys, tempfile
from pathlib import Path

from _protocol import ROOT, TACIT, run_for

COUNT = 300
LATEST = 80  # seconds of processor time for --time 20 and a re-check
HARNESS = ROOT / 'test' / 'tools' / 'java_harness' / 'Words.java'
STATE = 'java.lang.IllegalStateException'


def errors_of(text):
    return re.findall(r'// error: (\S+)', text) or [STATE]


def run_words(folder, sources):
    """What happened in the JVM, by class."""
    subprocess.run(['javac', '-g', '-nowarn', '-d', folder, *map(str, sources)], check=True, stderr=subprocess.PIPE)
    subprocess.run(['javac', '-nowarn', '-d', folder / 'harness', str(HARNESS)], check=True)
    asked = '\n'.join(' '.join([s.stem, *errors_of(s.read_text())]) for s in sources)
    done = subprocess.run(['java', '-Xshare:auto', '-XX:TieredStopAtLevel=1', '-cp', folder / 'harness', 'Words', folder, str(COUNT)], input=asked,
                          stdout=subprocess.PIPE, text=True, check=True)
    found = {}
    for line in done.stdout.splitlines():
        if line.startswith('== '):
            current = found[line[3:]] = []
        else:
            current.append(line)
    return found


def shown(trace):
    return ' '.join('%s(%s):%s' % (c['call'], json.dumps(c['args'])[1:-1], c['outcome']) + ('=' + json.dumps(c['result']) if c['result'] is not None else '')
                    for c in trace['calls'])


def judge(result, traces, told):
    """Claims that these words contradict."""
    verdict = result['verdict']
    for trace, said in zip(traces, told):
        last = len(trace['calls'])
        refused = said.get('refused_at')
        word = '%s %s' % (trace['constructor_args'], shown(trace))
        if verdict['safe'] == 'proved':
            if said.get('impossible_at') is not None:
                return 'cannot happen at call %d, and does: %s' % (said['impossible_at'], word)
            if trace['errs'] and refused is None and said.get('unknown_at') is None:
                return 'allowed, and errs: ' + word
        if verdict['permissive'] == 'proved' and refused is not None and not (trace['errs'] and refused == last) and not said.get('needs'):
            return 'refused at call %d, and works: %s' % (refused, word)
    return None


def check(source, folder, traces):
    text = source.read_text()
    path, listing = folder / (source.stem + '.json'), folder / (source.stem + '.jsonl')
    more = re.search(r'// tacit: (.*)', text)
    specs = [x for e in errors_of(text) for x in ('--error', 'throws:' + e)]
    command = [TACIT, 'synth', str(folder / (source.stem + '.class')), *specs, '--time', '20', '-o', str(path), *(more.group(1).split() if more else [])]
    done = run_for(command, LATEST)
    if done is None:
        return 'not done after %d s' % LATEST, None
    if done.returncode not in (0, 3):
        return 'status %d: %s' % (done.returncode, done.stderr.strip()), None
    result = json.loads(path.read_text())
    listing.write_text('\n'.join(traces) + '\n')
    played = subprocess.run([TACIT, 'replay', str(path), '--trace', str(listing), '--as', 'json'], capture_output=True, text=True, check=False)
    if played.returncode not in (0, 1):
        return 'replay: status %d: %s' % (played.returncode, played.stderr.strip()), None
    problem = judge(result, [json.loads(t) for t in traces], [json.loads(l) for l in played.stdout.splitlines()])
    notes = re.findall(r'// note: (.*)', text)
    if problem and notes and all(any(n in a for a in result['verdict']['assumptions']) for n in notes):
        problem = None
    assumed = result['verdict']['assumptions']
    for wanted in re.findall(r'// lists: (.*)', text):
        if not problem and result['verdict']['safe'] == 'proved' and not any(wanted in a for a in assumed):
            problem = 'does not list: %s' % wanted
    proved = result['verdict']['safe'] == 'proved' and result['verdict']['permissive'] == 'proved'
    if not problem and not proved and 'open: ' not in text:
        problem = 'not proved: %s' % result['verdict']['details']
    return problem, proved


def main():
    if not shutil.which('javac') or not shutil.which('java'):
        print('no JDK here: skipped')
        return 0
    sources = [Path(a) for a in sys.argv[1:]] or sorted((ROOT / 'test' / 'java' / 'probes').glob('*.java'))
    failures = settled = 0
    with tempfile.TemporaryDirectory(prefix='tacit-probes-') as name:
        folder = Path(name)
        happened = run_words(folder, sources)
        for source in sources:
            problem, proved = check(source, folder, happened[source.stem])
            settled += bool(proved)
            if problem:
                failures += 1
                print('%s: %s' % (source.stem, problem), flush=True)
    print('%d classes, %d proved, %d failures' % (len(sources), settled, failures))
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
