#!/usr/bin/env python3
"""Bad Java inputs: each is refused with exit status 2 and a message that names the file and the reason, in bounded
memory and time. Needs javac to make the good class that the bad ones are made from."""
import os, re, resource, shutil, struct, subprocess, sys, tempfile, zipfile

TACIT = os.environ['TACIT']
FAILURES = []


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


def refused(what, source, expected, *options):
    try:
        done = subprocess.run([TACIT, 'lower', source] + list(options), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=20, preexec_fn=limited)
    except subprocess.TimeoutExpired:
        FAILURES.append('%s: hangs' % what)
        return
    if done.returncode != 2:
        FAILURES.append('%s: exit status %d: %s' % (what, done.returncode, (done.stdout + done.stderr)[:300]))
    elif not re.search(expected, done.stderr):
        FAILURES.append('%s: message %r does not match %r' % (what, done.stderr, expected))


def write(path, data):
    with open(path, 'wb') as out:
        out.write(data)
    return path


def class_files(folder):
    with open(os.path.join(folder, 'A1.java'), 'w') as out:
        out.write('class A1 extends B1 { int x; public int get(int y) { return y > 0 ? x + y : x; } }\n'
                  'class B1 extends C1 { }\nclass C1 { }\ninterface Face { }\n')
    subprocess.run(['javac', '-d', folder, os.path.join(folder, 'A1.java')], check=True)
    good = open(os.path.join(folder, 'A1.class'), 'rb').read()
    at = lambda name: os.path.join(folder, name)
    refused('wrong magic', write(at('magic.class'), b'\0' + good[1:]), r'magic\.class: error: not a class file')
    refused('empty file', write(at('empty.class'), b''), r'empty\.class: error: not a class file')
    newer = good[:6] + struct.pack('>H', 70) + good[8:]
    refused('newer version', write(at('newer.class'), newer), r'version 70\.\d+ is newer')
    refused('trailing bytes', write(at('longer.class'), good + b'xx'), r'2 bytes follow')
    refused('missing file', at('none.class'), r'none\.class: error: cannot be read')
    refused('folder', folder + '/.class', r'error')
    for cut in range(9, len(good), 7):
        refused('cut at %d' % cut, write(at('cut.class'), good[:cut]), r'cut\.class: error: ')
    refused('interface', at('Face.class'), r"'Face' is an interface; a class is needed")
    refused('missing class', at('A1.class'), r"no class 'A2'; did you mean 'A1'", '--class', 'A2')
    # javac does not make a cycle; a changed name does.
    b1 = open(at('B1.class'), 'rb').read()
    cyclic = os.path.join(folder, 'cyclic')
    os.mkdir(cyclic)
    shutil.copy(at('A1.class'), cyclic)
    write(os.path.join(cyclic, 'B1.class'), b1.replace(b'C1', b'A1'))
    refused('cyclic superclasses', os.path.join(cyclic, 'A1.class'), r'is its own superclass')
    return good


def archives(folder, good):
    at = lambda name: os.path.join(folder, name)
    jar = at('good.jar')
    with zipfile.ZipFile(jar, 'w', zipfile.ZIP_DEFLATED) as out:
        out.writestr('A1.class', good)
        out.writestr('p/B.class', good)
    data = open(jar, 'rb').read()
    done = subprocess.run([TACIT, 'lower', jar, '--class', 'A1'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0 or 'component A1' not in done.stdout:
        FAILURES.append('good jar: %s' % done.stderr)
    refused('no class named', jar, r'holds 2 classes: name one')
    refused('another class inside', jar, r"the file holds the class 'A1'", '--class', 'p.B')
    refused('not a jar', write(at('text.jar'), b'hello' * 20), r'text\.jar: error: not an archive')
    for cut in range(1, len(data), 11):
        refused('jar cut at %d' % cut, write(at('cut.jar'), data[:cut]), r'cut\.jar(!\w+\.class)?: error: ', '--class', 'A1')
    bomb = at('bomb.jar')
    with zipfile.ZipFile(bomb, 'w', zipfile.ZIP_DEFLATED) as out:
        out.writestr('A1.class', b'\0' * (200 << 20))
    refused('bomb', bomb, r'claims 209715200 bytes', '--class', 'A1')
    # The same with a directory that lies about the size.
    lying = open(bomb, 'rb').read().replace(struct.pack('<I', 200 << 20), struct.pack('<I', 1000))
    refused('lying bomb', write(at('lying.jar'), lying), r'larger than it claims', '--class', 'A1')
    refused('missing JDK', 'jdk:' + at('nowhere'), r'holds no module image', '--class', 'A1')
    jdk = at('jdk')
    os.makedirs(os.path.join(jdk, 'lib'))
    write(os.path.join(jdk, 'lib', 'modules'), b'\xda\xda\xfe\xca' + b'\0' * 10)
    refused('cut image', 'jdk:' + jdk, r'modules: error: ', '--class', 'A1')


def main():
    if not shutil.which('javac'):
        print('no JDK here: skipped')
        return 0
    with tempfile.TemporaryDirectory() as folder:
        archives(folder, class_files(folder))
    for failure in FAILURES:
        print(failure)
    print('%d failures' % len(FAILURES))
    return 1 if FAILURES else 0


if __name__ == '__main__':
    sys.exit(main())
