# SPDX-License-Identifier: Apache-2.0
"""The guest's kernel and initial RAM disk, made of Debian packages: needs no root and no installation in a disk image.

    image.build("build/interop") -> (kernel, initrd)

The kernel is that of the linux-image-amd64 package (not the cloud one, which lacks rdma_rxe), downloaded with apt-get
and only unpacked.  All programs are copied from this machine with the libraries that they load, so both ends run the
same ones.  Remade when a program or a file here has changed; a full build takes less than half a minute.
"""
import glob
import hashlib
import lzma
import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = ["virtio_pci", "virtio_net", "virtio_console", "virtio_rng", "crc32_generic", "ib_uverbs", "rdma_rxe"]
PROGRAMS = ["rdma", "ibv_rc_pingpong", "ibv_devinfo", "ib_write_bw", "ib_read_bw", "ib_send_bw", "ib_write_lat",
            "ib_read_lat", "ib_send_lat"]
FILES = ["/etc/libibverbs.d/rxe.driver"]
PROVIDERS = ["/usr/lib/x86_64-linux-gnu/libibverbs/librxe-rdmav*.so"]


class Missing(Exception):
    """Something the image needs is not here; the text says what to do."""


def output(words, **options):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=600,
                          **options)
    if done.returncode:
        raise Missing(f"{' '.join(words)}: exit {done.returncode}: {done.stdout.strip()[-400:]}")
    return done.stdout


def kernel_package():
    """linux-image-6.1.0-N-amd64: what linux-image-amd64 depends on."""
    said = output(["apt-cache", "depends", "linux-image-amd64"])
    found = re.search(r"Depends: (linux-image-\S+-amd64)", said)
    if not found:
        raise Missing("apt knows no linux-image-amd64; type: sudo apt-get update")
    return found[1]


def unpack_kernel(out):
    """Directory with the kernel package's files."""
    have = glob.glob(f"{out}/kernel/linux-image-*")
    if have:
        return have[0]  # an update of the archive does not make another guest; `make clean` does
    name = kernel_package()
    shutil.rmtree(f"{out}/download", ignore_errors=True)
    os.makedirs(f"{out}/download")
    print(f"... fetching {name}", flush=True)
    output(["apt-get", "-q", "download", name], cwd=f"{out}/download")
    output(["dpkg-deb", "-x", glob.glob(f"{out}/download/*.deb")[0], f"{out}/download/files"])
    os.makedirs(f"{out}/kernel", exist_ok=True)
    os.rename(f"{out}/download/files", f"{out}/kernel/{name}")
    shutil.rmtree(f"{out}/download")
    return f"{out}/kernel/{name}"


def module_files(tree):
    """Module files in the order in which they are to be loaded."""
    base = tree if os.path.isdir(f"{tree}/lib/modules") else f"{tree}/usr"
    version, = os.listdir(f"{base}/lib/modules")
    output(["depmod", "-b", base, version])
    files = []
    for module in MODULES:
        said = output(["modprobe", "-d", os.path.abspath(base), "-S", version, "--show-depends", module])
        files += [line.split()[1] for line in said.splitlines() if line.startswith("insmod")]
    return list(dict.fromkeys(files))


def program_files(extra):
    """(source, path in the guest) of programs, the libraries they load, and what libibverbs reads."""
    pairs, loading = [], list(extra) + [f for pattern in PROVIDERS for f in glob.glob(pattern)]
    for path in loading:
        pairs.append((path, path if path.startswith("/usr/lib") else f"/bin/{os.path.basename(path)}"))
    for name in PROGRAMS:
        path = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
        if not path:
            raise Missing(f"{name} is not installed: see packages.txt and tests/interop/packages.txt")
        pairs.append((path, f"/bin/{name}"))
        loading.append(path)
    for path in loading:
        for library in re.findall(r"(?:=> |^\s+)(/\S+) \(0x", output(["ldd", path]), re.M):
            pairs.append((library, library))
    return list(dict.fromkeys(pairs + [(f, f) for f in FILES]))


def put(source, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy(source, target)
    os.chmod(target, 0o755)


def pack(out, files, modules):
    root = f"{out}/root"
    shutil.rmtree(root, ignore_errors=True)
    for name in ("bin", "dev", "etc", "proc", "sys", "tmp", "modules.d"):
        os.makedirs(f"{root}/{name}")
    for source, target in files:
        put(source, root + target)
    put(shutil.which("busybox"), f"{root}/bin/busybox")
    put(f"{HERE}/init", f"{root}/init")
    names = []
    for path in modules:
        names.append("/modules.d/" + re.sub(r"\.xz$", "", os.path.basename(path)))
        with (lzma.open if path.endswith(".xz") else open)(path, "rb") as module, open(root + names[-1], "wb") as to:
            to.write(module.read())
    with open(f"{root}/modules", "w", encoding="ascii") as order:
        order.write("\n".join(names) + "\n")
    inside = "\n".join(os.path.relpath(os.path.join(where, name), root)
                       for where, dirs, plain in os.walk(root) for name in dirs + plain)
    with open(f"{out}/initrd.part", "wb") as to:
        subprocess.run(["cpio", "-o", "-H", "newc", "--quiet", "-R", "0:0"], input=inside.encode(), cwd=root, stdout=to,
                       check=True, timeout=120)
    os.rename(f"{out}/initrd.part", f"{out}/initrd")


def build(out, programs=()):
    """programs: own ones to put into /bin of the guest."""
    os.makedirs(out, exist_ok=True)
    tree = unpack_kernel(out)
    kernel, = glob.glob(f"{tree}/boot/vmlinuz-*")
    files = program_files(programs)
    sources = [source for source, _ in files] + [shutil.which("busybox"), f"{HERE}/init", f"{HERE}/image.py", kernel]
    looks = [(s, os.stat(s).st_mtime_ns, os.stat(s).st_size) for s in sources]
    state = hashlib.sha256(repr(looks).encode()).hexdigest()
    try:
        with open(f"{out}/initrd.state", encoding="ascii") as last:
            fresh = last.read() == state and os.path.exists(f"{out}/initrd")
    except FileNotFoundError:
        fresh = False
    if not fresh:
        pack(out, files, module_files(tree))
        with open(f"{out}/initrd.state", "w", encoding="ascii") as to:
            to.write(state)
    return kernel, f"{out}/initrd"
