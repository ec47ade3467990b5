# SPDX-License-Identifier: Apache-2.0
"""A PC in QEMU (emulated, no KVM needed) that runs commands.

    with Guest(kernel, initrd, directory) as guest:      boots in the background
        guest.wait_ready()
        guest.run("lspci")                               (status, output)
        job = guest.start(["ib_write_bw", ...])          goes on; job.poll(), job.wait()

What else is in it is said by a class made of this one: hardware(), settings().  Commands go through a virtio port (see
init).  The QEMU process is ended by its handle, its files are in `directory`.
"""
import base64
import os
import select
import shlex
import shutil
import socket
import subprocess
import tempfile
import time

import pair

QEMU = "qemu-system-x86_64"
BOOT_S = 180  # about 10 s on an idle machine
LIFE_S = 3600  # a guest whose host has died ends by itself


class Job:
    """A command in the guest."""

    def __init__(self, guest, number, seconds, words):
        self.guest, self.number, self.words = guest, number, words
        self.until = time.monotonic() + seconds + 20
        self.code, self.output = None, ""

    def poll(self):
        self.guest.listen(0)
        return self.code

    def wait(self):
        while self.code is None:
            if time.monotonic() > self.until:
                raise pair.Failure(f"guest: no answer to: {self.words}\n{self.guest.tail()}")
            self.guest.listen(0.2)
        return self.code


class Guest:
    qemu = [QEMU]   # the words that begin its command line

    def __init__(self, kernel, initrd, directory):
        self.kernel, self.initrd, self.dir = kernel, initrd, directory
        self.jobs, self.numbers, self.partial = {}, 0, b""
        self.process = self.link = self.sockets = self.log = None

    def settings(self):
        """Words of the kernel's command line; NAME=value reaches /setup as an environment variable."""
        return []

    def hardware(self):
        """Words of QEMU's command line: the machine, and what is in it besides the port for commands."""
        return ["-machine", "q35", "-m", "512"]

    def __enter__(self):
        os.makedirs(self.dir, exist_ok=True)
        self.sockets = tempfile.mkdtemp(prefix="cairn-guest-")  # socket paths have to be short
        self.log = open(f"{self.dir}/qemu.log", "w+", encoding="utf-8", errors="replace")
        self.began = time.monotonic()
        self.process = subprocess.Popen(["timeout", "--foreground", "-k", "5", str(LIFE_S), *self.command()],
                                        stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)
        self.jobs[0] = Job(self, 0, BOOT_S, "boot")
        return self

    def command(self):
        words = ["console=ttyS0", "quiet", "panic=-1", "rdinit=/init", *self.settings()]
        return [*self.qemu, "-accel", "tcg,thread=multi", "-cpu", "max", "-nodefaults", "-no-user-config", "-no-reboot",
                "-display", "none", "-serial", f"file:{self.dir}/console.log",
                "-kernel", self.kernel, "-initrd", self.initrd, "-append", " ".join(words),
                "-chardev", f"socket,id=commands,path={self.sockets}/commands,server=on,wait=off",
                "-device", "virtio-serial-pci", "-device", "virtserialport,chardev=commands",
                "-device", "virtio-rng-pci", *self.hardware()]

    def __exit__(self, *_):
        if self.link:
            self.link.close()
        if self.process.poll() is None:
            self.process.terminate()  # timeout passes it on
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()
        shutil.rmtree(self.sockets, ignore_errors=True)

    def tail(self):
        """What QEMU and the guest's console said last."""
        said = ""
        for name in ("qemu.log", "console.log"):
            if os.path.exists(f"{self.dir}/{name}"):
                with open(f"{self.dir}/{name}", encoding="utf-8", errors="replace") as text:
                    said += "".join(text.readlines()[-12:])
        return said

    def wait_ready(self):
        """Seconds from power-on until commands are taken."""
        while not self.link:
            link = socket.socket(socket.AF_UNIX)
            try:
                link.connect(f"{self.sockets}/commands")
                self.link = link
            except OSError as error:
                link.close()
                if self.process.poll() is not None or time.monotonic() > self.began + BOOT_S:
                    raise pair.Failure(f"{QEMU} does not run: {error}\n{self.tail()}") from error
                time.sleep(0.1)
        self.jobs[0].wait()
        return time.monotonic() - self.began

    def listen(self, seconds):
        """Take the answers that are there, or come within `seconds`."""
        ready, _, _ = select.select([self.link], [], [], seconds)
        if not ready:
            return
        data = self.link.recv(65536)
        if not data:
            raise pair.Failure(f"the guest has ended\n{self.tail()}")
        *lines, self.partial = (self.partial + data).split(b"\n")
        for line in lines:
            number, code, text = (line.split(b" ") + [b""])[:3]
            job = self.jobs.pop(int(number), None)
            if job:
                job.output = base64.b64decode(text).decode("utf-8", "replace")
                job.code = int(code)

    def start(self, command, seconds=170):
        """Text for a shell, or a list of words."""
        text = command if isinstance(command, str) else shlex.join(command)
        self.numbers += 1
        job = self.jobs[self.numbers] = Job(self, self.numbers, seconds, text)
        self.link.sendall(f"{self.numbers} {seconds} {base64.b64encode(text.encode()).decode()}\n".encode())
        return job

    def run(self, command, seconds=60):
        job = self.start(command, seconds)
        return job.wait(), job.output

    def wait_listen(self, job, port, seconds=60):
        """Until something listens on the TCP port, or the job has ended (the client will then fail and show it)."""
        look = f"grep -q ':{port:04X} 0*:0000 0A' /proc/net/tcp /proc/net/tcp6"
        waiting = self.start(f"until {look}; do usleep 100000; done", seconds)
        while waiting.poll() is None and job.poll() is None:
            self.listen(0.2)
