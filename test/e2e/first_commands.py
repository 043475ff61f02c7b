#!/usr/bin/env python3
"""The first commands that somebody types, in projects as people have them: CMake, a database as Meson
writes it, a folder of classes as Maven has it, a jar. Each gives the protocol, or says the one thing
to add. Nothing is written but where it was asked for."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TACIT = os.environ["TACIT"]
ROOT = Path(os.environ["TACIT_ROOT"])
FAILED = []


def check(what, condition, detail=""):
    if not condition:
        FAILED.append(f"{what}: {detail}" if detail else what)


def run(folder, *arguments, status=0, says=(), complains=()):
    """A command in a folder, with its status and what both streams have to hold."""
    done = subprocess.run([TACIT, *map(str, arguments)], cwd=folder, text=True, capture_output=True,
                          env=dict(os.environ, NO_COLOR="1"), stdin=subprocess.DEVNULL, timeout=120, check=False)
    name = "tacit " + " ".join(map(str, arguments))
    check(f"{name}: status {status}", done.returncode == status, f"{done.returncode}: {done.stdout}{done.stderr}")
    for text in says:
        check(f"{name} says '{text}'", text in done.stdout, done.stdout + done.stderr)
    for text in complains:
        check(f"{name} complains '{text}'", text in done.stderr, done.stderr)
    return done.stdout


def files(folder):
    return {str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file()}


def database(folder, directory, command):
    """compile_commands.json for the three sources, with a command as a build tool writes it."""
    sources = ["barrier", "meter", "ticket"]
    (folder / "compile_commands.json").write_text(json.dumps([
        {"directory": str(directory), "file": f"../src/{name}.cpp", "output": f"{name}.o",
         "command": command.format(name=name)} for name in sources]))


def cmake_project(work):
    project = work / "cmake"
    shutil.copytree(ROOT / "examples" / "parking", project)
    (project / "build").mkdir()
    database(project / "build", project / "build",
             f"/usr/bin/c++ -I{project}/include -std=gnu++20 -fpch-preprocess -o {{name}}.o -c {project}/src/{{name}}.cpp")
    before = files(project)
    run(project, "synth", "src/ticket.cpp", status=2, complains=["name it with --class", "--class parking::Ticket"])
    run(project, "synth", "src/ticket.cpp", "--class", "Tickets", status=2, complains=["did you mean 'Ticket'"])
    run(project, "synth", "src/ticket.cpp", "--class", "Ticket",
        says=["4 states, proved safe and permissive", "errors: throws:* (5 sites: std::invalid_argument 1, std::logic_error 4)"])
    check("only what was asked for is written", files(project) == before, str(files(project) - before))
    run(project / "src", "synth", "ticket.cpp", "--class", "Ticket", "-o", "ticket.json", says=["Ticket: 4 states"])
    check("-o is where the command was typed", (project / "src" / "ticket.json").exists())
    first = (project / "src" / "ticket.json").read_text()
    run(project / "src", "synth", "ticket.cpp", "--class", "Ticket", "-o", "ticket.json")
    check("a result holds no times", first == (project / "src" / "ticket.json").read_text())
    run(project / "src", "show", "ticket.json", "--as", "review",
        says=["issue and cancel change issued_, as leave does, but leave paid_ as it was",
              "leave works and pay is refused, unlike"])
    replayed = json.loads(run(project / "src", "replay", "ticket.json", "issue", "leave", "--as", "json", status=1))
    check("replay as json", replayed["end"] == "refused" and replayed["steps"][1]["stops"][0]["error"] == "throws:std::logic_error",
          str(replayed))
    compared = json.loads(run(project / "src", "diff", "ticket.json", "ticket.json", "--as", "json"))
    check("diff as json", compared["equal"] is True)
    inspected = json.loads(run(project, "inspect", "src/meter.cpp", "--class", "Meter", "--as", "json"))
    check("inspect as json", inspected["candidates"][0]["error"] == "returns:Result::BadState", str(inspected["candidates"]))
    run(project, "synth", "src/meter.cpp", "--class", "Meter", status=2,
        complains=["no protocol to prove", "--error returns:Result::BadState   3 places", "start when running_"])
    run(project, "synth", "src/meter.cpp", "--class", "Meter", "--error", "returns:Result::BadState",
        says=["2 states, proved safe and permissive", "errors: returns:Result::BadState (3 sites)"])
    run(project, "synth", "src/barrier.cpp", "--class", "parking::Barrier", says=["3 states, proved safe, permissive and full"])
    run(project, "synth", "src/barrier.cpp", "--class", "Barrier", "-o", "nowhere/b.json", status=2, complains=["cannot be written"])
    (project / "build" / "x.so").write_text("")
    run(project, "synth", "build/x.so", status=2, complains=["name the C or C++ sources"])
    shutil.move(project / "build", project / "other")
    run(project, "synth", "src/ticket.cpp", "--class", "Ticket", status=2,
        complains=["'parking/ticket.h' file not found", "no compile_commands.json was found", "-p"])
    run(project, "synth", "src/ticket.cpp", "--class", "Ticket", "--", "-Iinclude", says=["4 states"])


def library_with_helpers(work):
    """A larger class: refusals name the line in the method and the helper, the page has all of it."""
    project = work / "transfer"
    shutil.copytree(ROOT / "examples" / "transfer", project)
    (project / "build-debug").mkdir()
    (project / "build-debug" / "compile_commands.json").write_text(json.dumps([
        {"directory": str(project / "build-debug"), "file": "../src/upload.cpp",
         "command": f"c++ -I{project}/include -std=c++20 -o upload.o -c ../src/upload.cpp"}]))
    run(project, "synth", "src/upload.cpp", "--class", "Upload", "-o", "upload.json", says=["18 states, proved safe and permissive"])
    shown = run(project, "show", "upload.json", says=["through expect (src/upload.cpp:12)", "bytes <= max_chunk_"])
    check("nothing but words of the source", not any(word in shown for word in ("_M_", "this !=", ".slot", "address.", ".beside")), shown)
    page = run(project, "show", "upload.json", "--as", "html")
    check("the picture stands before everything else", 0 < page.find('id="picture"') < page.find('id="word"') < page.find('id="meaning"'))
    run(project, "show", "upload.json", "--as", "review", says=["Nothing stands out."])


def meson_project(work):
    """Relative paths in everything, a build folder of another name, files of dependencies."""
    project = work / "meson"
    shutil.copytree(ROOT / "examples" / "parking", project)
    folder = project / "builddir"
    folder.mkdir()
    database(folder, folder, "c++ -Ilib.p -I. -I../include -fdiagnostics-color=always -Wall -std=c++20 "
                             "-MD -MQ {name}.o -MF {name}.o.d -o {name}.o -c ../src/{name}.cpp")
    before = files(project)
    run(project, "synth", "src/ticket.cpp", "--class", "Ticket", says=["4 states, proved"])
    run(project, "synth", "include/parking/ticket.h", "src/ticket.cpp", "--class", "Ticket", says=["4 states, proved"])
    check("no lists of dependencies are written", files(project) == before, str(files(project) - before))
    shutil.move(folder, project / "elsewhere")
    (project / "elsewhere" / "compile_commands.json").write_text(
        (project / "elsewhere" / "compile_commands.json").read_text().replace(str(folder), str(project / "elsewhere")))
    run(project / "src", "synth", "ticket.cpp", "--class", "Ticket", "-p", "../elsewhere", says=["4 states, proved"])
    run(project, "synth", "src/ticket.cpp", "--class", "Ticket", "-p", "src", status=2, complains=["there is no compile_commands.json"])


def java_project(work):
    javac, jar = shutil.which("javac"), shutil.which("jar")
    if not javac or not jar:
        print("no JDK: the Java projects are skipped")
        return
    project = work / "maven"
    shutil.copytree(ROOT / "examples" / "parking_java", project)
    classes = project / "target" / "classes"
    sources = sorted(map(str, (project / "src").rglob("*.java")))
    subprocess.run([javac, "--release", "17", "-g", "-d", classes, *sources], check=True)
    run(project, "synth", "src/main/java/com/acme/parking/Ticket.java", status=2, complains=["target/classes"])
    run(project, "synth", "src", status=2, complains=["target/classes"])
    run(project, "synth", "target/classes", status=2, complains=["name one with --class", "--class com.acme.parking.Ticket"])
    run(project, "synth", "target/classes", "--class", "Ticket", "-o", "ticket.json",
        says=["4 states, proved safe and permissive", "throws:com.acme.parking.NotPaidException (1 site)",
              "throws:java.lang.IllegalStateException (3 sites)"])
    run(project, "show", "ticket.json", "--as", "review", says=["but leave paid as it was"])
    run(project, "synth", "target/classes", "--class", "com.acme.parking.Barrier", "-o", "barrier.json", says=["3 states, proved"])
    run(project, "replay", "barrier.json", "lower", status=1, says=["Barrier.java:19, through require (Barrier.java:10)"])
    run(project, "synth", "target/classes", "--class", "Meter", status=2, complains=["--error 'returns:Meter$Result.BAD_STATE'"])
    shop = project / "shop"
    sources = sorted(map(str, (ROOT / "examples" / "shop_java" / "src").rglob("*.java")))
    subprocess.run([javac, "--release", "17", "-g", "-d", shop, *sources], check=True)
    run(project, "synth", "shop", "--class", "Checkout", "-o", "checkout.json",
        says=["8 states, proved safe and permissive", "set aside: pay may also err at Checkout.java:51, whatever you do"])
    run(project, "show", "checkout.json", says=["items + sku", "items.containsKey(sku)", "through need (Checkout.java:"])
    run(project, "show", "checkout.json", "--as", "review", says=["look final (closed), and abandon and back leave them"])
    subprocess.run([jar, "cf", project / "parking.jar", "-C", classes, "."], check=True)
    run(work, "synth", "maven/parking.jar", "--class", "Tiket", status=2, complains=["did you mean"])
    run(work, "synth", "maven/parking.jar", "--class", "Meter", "--error", "returns:Meter$Result.BAD_STATE", says=["2 states, proved"])


def main():
    with tempfile.TemporaryDirectory(prefix="tacit-first-") as work:
        for project in (cmake_project, library_with_helpers, meson_project, java_project):
            project(Path(work).resolve())
    for text in FAILED:
        print(text)
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
