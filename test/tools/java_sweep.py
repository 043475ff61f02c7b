#!/usr/bin/env python3
"""Runs `tacit synth jdk:` on a list of classes and prints a line for each.

  java_sweep.py [--list FILE] [--only REGEX] [--jobs N] [--limit SECONDS] [--keep FOLDER] [-- OPTIONS OF SYNTH]

A line of the list is `CLASS ERROR [OPTION…]`. Printed are exit status, verdicts (safe, permissive, full: p proved,
r refuted, b bounded, u unknown), states, seconds, peak memory and why something is open. A run that takes longer than
--limit seconds counts as hung. Exit status: 0 if every run ended by itself with status 0, 1, 2 or 3; else 1."""
import argparse, concurrent.futures, json, os, re, resource, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))


def read_list(path):
    with open(path) as lines:
        return [line.split() for line in lines if line.strip() and not line.startswith('#')]


def measured(command, limit):
    """Exit status ('hung' beyond the limit), seconds, peak MB, standard error."""
    with tempfile.TemporaryFile('w+') as err:
        start = time.time()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=err)
        hung = False
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.time() - start > limit and not hung:
                hung = True
                process.kill()
            time.sleep(0.02)
        process.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        return ('hung' if hung else process.returncode, time.time() - start, usage.ru_maxrss // 1024, err.read())


def reason(result, messages):
    verdict = result['verdict']
    details = verdict.get('details', {})
    for claim in ('safe', 'permissive'):
        if verdict[claim] != 'proved' and claim in details:
            return '%s: %s' % (claim, details[claim] if isinstance(details[claim], str) else json.dumps(details[claim]))
    if verdict['safe'] != 'proved' or verdict['permissive'] != 'proved':
        return json.dumps(details)
    return ''


def sweep(tacit, entry, limit, keep, options):
    name, error, *own = entry
    out = os.path.join(keep, re.sub(r'[^\w.]+', '_', '_'.join(entry)) + '.json')
    if os.path.exists(out):
        os.remove(out)
    command = [tacit, 'synth', 'jdk:', '--class', name, '--error', error, '-o', out] + own + options
    status, seconds, memory, messages = measured(command, limit)
    row = {'class': name, 'error': error, 'options': own, 'status': status, 'seconds': round(seconds, 2),
           'memory': memory, 'verdicts': '-', 'states': '-', 'why': messages.strip().split('\n')[0]}
    if os.path.exists(out):
        with open(out) as file:
            result = json.load(file)
        verdict = result['verdict']
        row['verdicts'] = ''.join(verdict[c][0] for c in ('safe', 'permissive', 'full'))
        row['states'] = len(result['states'])
        row['forbidden'] = len(result.get('forbidden', []))
        row['calls'] = len(result.get('methods', []))
        row['why'] = reason(result, messages)
    return row


def show(row):
    error = row['error'].split(':')[-1].split('.')[-1]
    print('%-58s %-30s %4s %3s %5s/%-3s %7.2f s %6d MB  %s' % (
        row['class'], error + (' +' if row['options'] else ''), row['status'], row['verdicts'], row['states'],
        row.get('forbidden', '-'), row['seconds'], row['memory'], ' '.join(str(row['why']).split())[:160]), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--list', default=os.path.join(HERE, 'java_sweep.txt'))
    parser.add_argument('--only', default='')
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--limit', type=float, default=90)
    parser.add_argument('--keep', help='a folder for the results; rows.json among them')
    parser.add_argument('options', nargs='*')
    args = parser.parse_args()
    tacit = os.environ.get('TACIT', os.path.join(HERE, '..', '..', 'build', 'tacit'))
    entries = [e for e in read_list(args.list) if re.search(args.only, ' '.join(e))]
    with tempfile.TemporaryDirectory() as scratch:
        keep = args.keep or scratch
        os.makedirs(keep, exist_ok=True)
        rows = []
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for row in pool.map(lambda e: sweep(tacit, e, args.limit, keep, args.options), entries):
                show(row)
                rows.append(row)
        with open(os.path.join(keep, 'rows.json'), 'w') as out:
            json.dump(rows, out, indent=1)
    proved = sum(r['verdicts'].startswith('pp') for r in rows)
    print('%d classes: %d proved safe and permissive, %d ended badly' % (
        len(rows), proved, sum(r['status'] not in (0, 1, 2, 3) for r in rows)))
    return 1 if any(r['status'] not in (0, 1, 2, 3) for r in rows) else 0


if __name__ == '__main__':
    sys.exit(main())
