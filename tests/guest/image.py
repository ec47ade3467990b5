# SPDX-License-Identifier: Apache-2.0
"""A guest's kernel and initial RAM disk, made of Debian packages: needs no root and no disk image.

    kernel, initrd = image.build(Parts("build/vm", kernel=..., ...))

The kernel is that of a package which is only unpacked.  Programs come with the libraries that they load, from this
machine (root "/") or from packages of another release (debian.py).  Remade when any of it has changed; a full build
takes less than half a minute.
"""
import dataclasses
import functools
import glob
import hashlib
import lzma
import os
import re
import shutil
import subprocess

from debian import Missing, loader, output

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = ("dev", "etc", "proc", "run", "sys", "tmp", "modules.d", "usr/bin", "usr/lib", "usr/lib64")
LINKS = {"bin": "usr/bin", "sbin": "usr/bin", "lib": "usr/lib", "lib64": "usr/lib64", "usr/sbin": "bin"}
BASE_MODULES = ["virtio_pci", "virtio_console", "virtio_rng"]
LOADER = "/lib64/ld-linux-x86-64.so.2"


@dataclasses.dataclass
class Parts:
    """What a guest is made of."""
    out: str            # directory for all that is made
    kernel: str         # tree of an unpacked kernel package
    setup: str          # shell script that init runs when modules are loaded
    modules: list       # besides BASE_MODULES, with what they need
    programs: list      # by name
    root: str = "/"     # tree that programs, libraries and files come from
    files: list = ()    # more of it, patterns; shared libraries with what they load
    own: dict = dataclasses.field(default_factory=dict)   # path in the guest: file of this machine, to be run there


def unpack_kernel(out):
    """Tree of this machine's generic kernel package (not the cloud one, which lacks rdma_rxe)."""
    have = glob.glob(f"{out}/kernel/linux-image-*")
    if have:
        return have[0]  # an update of the archive does not make another guest; `make clean` does
    found = re.search(r"Depends: (linux-image-\S+-amd64)", output(["apt-cache", "depends", "linux-image-amd64"]))
    if not found:
        raise Missing("apt knows no linux-image-amd64; type: sudo apt-get update")
    name = found[1]
    shutil.rmtree(f"{out}/download", ignore_errors=True)
    os.makedirs(f"{out}/download")
    print(f"... fetching {name}", flush=True)
    output(["apt-get", "-q", "download", name], cwd=f"{out}/download")
    output(["dpkg-deb", "-x", glob.glob(f"{out}/download/*.deb")[0], f"{out}/download/files"])
    os.makedirs(f"{out}/kernel", exist_ok=True)
    os.rename(f"{out}/download/files", f"{out}/kernel/{name}")
    shutil.rmtree(f"{out}/download")
    return f"{out}/kernel/{name}"


def module_files(tree, names):
    """Module files in the order in which they are to be loaded."""
    base = tree if os.path.isdir(f"{tree}/lib/modules") else f"{tree}/usr"
    version, = os.listdir(f"{base}/lib/modules")
    output(["depmod", "-b", base, version])
    files = []
    for module in names:
        said = output(["modprobe", "-d", os.path.abspath(base), "-S", version, "--show-depends", module])
        files += [line.split()[1] for line in said.splitlines() if line.startswith("insmod")]
    return list(dict.fromkeys(files))


@functools.lru_cache(maxsize=None)
def libraries(root, path):
    """What the dynamic loader of `root` would load for a program or library; root "/": this machine's."""
    if root == "/":
        said = output(["ldd", path])
    else:
        said = output([*loader(root), "--list", path])
    if "not found" in said:
        raise Missing(f"{path} needs a library that {root} does not have:\n{said}")
    return tuple(re.findall(r"(?:=> |^\s+)(/\S+|\S+/\S+) \(0x", said, re.M))


def inside(root, path):
    """Where a file of `root` is in the guest, /lib and /bin being links."""
    path = "/" + os.path.relpath(path, root)
    return re.sub("^/(s?bin|lib|lib64)/", lambda found: f"/usr/{found[1].replace('sbin', 'bin')}/", path)


def program_files(parts):
    """{path in the guest: file} of programs, other files, and the libraries that they load."""
    found, loading = dict(parts.own), list(parts.own.values())
    search = ":".join(f"{parts.root.rstrip('/')}{part}" for part in ("/usr/bin", "/usr/sbin", "/bin", "/sbin"))
    for name in parts.programs:
        path = shutil.which(name, path=search)
        if not path:
            raise Missing(f"there is no program {name} in {parts.root}")
        found[f"/usr/bin/{name}"] = path
        loading.append(path)
    for pattern in parts.files:
        for path in glob.glob(parts.root.rstrip("/") + pattern):
            found[inside(parts.root, path)] = path
            loading += [path] if ".so" in os.path.basename(path) else []
    for path in loading:
        with open(path, "rb") as file:
            if file.read(4) != b"\x7fELF":
                continue
        for library in libraries(parts.root, os.path.abspath(path)):
            found[inside(parts.root, library)] = library
    found["/usr" + LOADER] = f"{parts.root.rstrip('/')}/usr{LOADER}" if parts.root != "/" else LOADER
    return found


def put(source, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy(source, target)
    os.chmod(target, 0o755)


def pack(parts, files, modules):
    root = f"{parts.out}/root"
    shutil.rmtree(root, ignore_errors=True)
    for name in FOLDERS:
        os.makedirs(f"{root}/{name}")
    for name, target in LINKS.items():
        os.symlink(target, f"{root}/{name}")
    for target, source in files.items():
        put(source, root + target)
    put(shutil.which("busybox"), f"{root}/usr/bin/busybox")
    put(f"{HERE}/init", f"{root}/init")
    put(parts.setup, f"{root}/setup")
    names = []
    for path in modules:
        names.append("/modules.d/" + re.sub(r"\.xz$", "", os.path.basename(path)))
        with (lzma.open if path.endswith(".xz") else open)(path, "rb") as module, open(root + names[-1], "wb") as to:
            to.write(module.read())
    with open(f"{root}/modules", "w", encoding="ascii") as order:
        order.write("\n".join(names) + "\n")
    everything = "\n".join(os.path.relpath(os.path.join(where, name), root)
                           for where, dirs, plain in os.walk(root) for name in dirs + plain)
    with open(f"{parts.out}/initrd.part", "wb") as to:
        subprocess.run(["cpio", "-o", "-H", "newc", "--quiet", "-R", "0:0"], input=everything.encode(), cwd=root,
                       stdout=to, check=True, timeout=120)
    os.rename(f"{parts.out}/initrd.part", f"{parts.out}/initrd")


def build(parts):
    """(kernel, initrd)"""
    os.makedirs(parts.out, exist_ok=True)
    kernel, = glob.glob(f"{parts.kernel}/boot/vmlinuz-*")
    files = program_files(parts)
    sources = [*files.values(), shutil.which("busybox"), f"{HERE}/init", f"{HERE}/image.py", parts.setup, kernel]
    looks = [parts.modules] + [(s, os.stat(s).st_mtime_ns, os.stat(s).st_size) for s in sources]
    state = hashlib.sha256(repr(looks).encode()).hexdigest()
    try:
        with open(f"{parts.out}/initrd.state", encoding="ascii") as last:
            fresh = last.read() == state and os.path.exists(f"{parts.out}/initrd")
    except FileNotFoundError:
        fresh = False
    if not fresh:
        pack(parts, files, module_files(parts.kernel, BASE_MODULES + parts.modules))
        with open(f"{parts.out}/initrd.state", "w", encoding="ascii") as to:
            to.write(state)
    return kernel, f"{parts.out}/initrd"
