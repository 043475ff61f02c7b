#!/usr/bin/env python3
"""Compares an interface of a Java class with the class itself, run on a JVM.

  harness.py RESULT.json [--class NAME] [--classpath PATH] [--length K] [--methods a,b] [--error TYPE]

Every word up to length K is run with sample arguments (Harness.java). Reported are words on which the two disagree:
  - a call that errs where the interface allows it (only if the result is proved safe),
  - a call that succeeds along some run where the interface refuses it, and errs along none with the same letters
    (only if proved permissive),
  - an outcome that the interface does not list where the call is allowed (only if proved safe).
Exit status: 0 they agree, 1 they do not, 2 bad usage."""
import argparse, collections, json, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
OPENS = ['java.util', 'java.io', 'java.net', 'java.security']


def compile_harness(folder):
    subprocess.run(['javac', '-nowarn', '-d', folder, os.path.join(HERE, 'Harness.java')], check=True,
                   stdout=subprocess.DEVNULL)


def parse_words(lines):
    return [[tuple(letter.rsplit(':', 1)) for letter in line.split(' ')] for line in lines]


def run_many(folder, jobs, classpath):
    """jobs: (class, length, error, methods). One JVM for all; words by class."""
    listing = os.path.join(folder, 'jobs')
    with open(listing, 'w') as out:
        for name, length, error, methods in jobs:
            out.write(' '.join([name, str(length), error] + methods) + '\n')
    found, current = {}, None
    for line in run_java(folder, ['@' + listing], classpath).splitlines():
        if line.startswith('== '):
            current = found.setdefault(line[3:], [])
        else:
            current.append(line)
    return {name: parse_words(lines) for name, lines in found.items()}


def run_words(folder, name, length, error, methods, classpath):
    return parse_words(run_java(folder, [name, str(length), error] + methods, classpath).splitlines())


def run_java(folder, arguments, classpath):
    command = ['java', '-Xshare:auto', '-XX:TieredStopAtLevel=1', '-cp', os.pathsep.join([folder] + classpath)]
    for package in OPENS:
        command += ['--add-opens', 'java.base/%s=ALL-UNNAMED' % package]
    command += ['Harness'] + arguments
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or 'the harness failed')
    return done.stdout


class Protocol:
    def __init__(self, result):
        self.allows = {s['id']: set(s['allows']) for s in result['states']}
        self.edges = collections.defaultdict(dict)
        for t in result['transitions']:
            self.edges[t['from'], t['call']][t['outcome']] = t['to']
        self.start = result['initial'][0]['state']

    def step(self, state, call, outcome):
        """The outcome as the interface tells it, and the state after it."""
        edges = self.edges[state, call]
        if 'any' in edges:
            return 'any', edges['any']
        wanted = [outcome]
        if outcome.startswith('throws='):
            wanted = ['throws=' + name for name in outcome[7:].split('|')]
        elif outcome.startswith('returns'):
            # An absent constant of an enumeration has a name of its own.
            if outcome == 'returns=null':
                wanted += [e for e in edges if e.startswith('returns=no_')]
            wanted += ['returns=other', 'returns']
        for one in wanted:
            if one in edges:
                return one, edges[one]
        return None, None


def compare(result, words):
    # A result that allows no constructor says nothing about words.
    if not result['initial']:
        return []
    protocol = Protocol(result)
    # With good arguments only, a word in which one was rejected says nothing.
    angelic = result['component']['options'].get('arguments') == 'angelic'
    safe = result['verdict']['safe'] == 'proved'
    permissive = result['verdict']['permissive'] == 'proved'
    problems, errs, lives = [], {}, {}
    for word in words:
        state, letters = protocol.start, ()
        for i, (call, outcome) in enumerate(word):
            before = letters + ((call, ''),)
            text = ' '.join('%s:%s' % letter for letter in word[:i] + [(call, outcome)])
            if call not in protocol.allows[state]:
                (errs if outcome == 'ERROR' else lives)[before] = text
                break
            if outcome == 'ERROR':
                if safe:
                    problems.append('errs, but is allowed: ' + text)
                break
            told, following = protocol.step(state, call, outcome)
            if told is None:
                if safe and not (angelic and outcome.startswith('throws=')):
                    problems.append('has an outcome that is not listed: ' + text)
                break
            state, letters = following, letters + ((call, told),)
    if permissive:
        for before, text in lives.items():
            if before not in errs:
                problems.append('never errs, but is refused: ' + text)
    return sorted(set(problems), key=lambda p: (len(p), p))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('result')
    parser.add_argument('--class', dest='name')
    parser.add_argument('--classpath', action='append', default=[])
    parser.add_argument('--length', type=int, default=5)
    parser.add_argument('--methods')
    parser.add_argument('--error')
    options = parser.parse_args()
    result = json.load(open(options.result))
    first = result['errors'][0]
    error = options.error or (first['error'] if isinstance(first, dict) else first).split(':', 1)[1]
    methods = options.methods.split(';') if options.methods else result['methods']
    with tempfile.TemporaryDirectory() as folder:
        compile_harness(folder)
        words = run_words(folder, options.name or result['component']['name'], options.length, error, methods,
                          options.classpath)
    problems = compare(result, words)
    for problem in problems[:20]:
        print(problem)
    print('%d words, %d disagreements' % (len(words), len(problems)))
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
