# SPDX-License-Identifier: Apache-2.0
"""Debian's kernel with iommufd and VFIO's character devices, which Debian leaves out.

    tree = iommufd.kernel("build/vm")       an unpacked kernel, as image.Parts wants it

Modules of VFIO, and iommufd, are made from Debian's own source of that kernel with CONFIG_IOMMUFD and
CONFIG_VFIO_DEVICE_CDEV; everything else is as it comes.  This machine's compiler has to be that of the kernel, so the
kernel is one of this machine's release.  debian.Missing if it cannot be done here.
"""
import glob
import os
import re
import shutil

import debian

SUITES = {"bookworm": ["bookworm", "bookworm-backports"], "trixie": ["trixie"]}
PACKAGES = ["linux-image-amd64", "linux-headers-amd64", "linux-source"]
SOURCE = ["drivers/vfio", "drivers/iommu", "lib/interval_tree.c"]
CONFIG = ["CONFIG_IOMMUFD=m", "CONFIG_VFIO_DEVICE_CDEV=y", "CONFIG_VFIO_MDEV=", "CONFIG_DEBUG_INFO_BTF_MODULES="]
FLAGS = "-g0 -DCONFIG_IOMMUFD_MODULE=1 -DCONFIG_VFIO_DEVICE_CDEV=1 -DCONFIG_INTERVAL_TREE_SPAN_ITER=1"
# The kernel has the rest of this file already.
BUILT_IN = re.compile(r"^EXPORT_SYMBOL_GPL\(interval_tree_(insert|remove|iter_first|iter_next)\);\n", re.M)


def release():
    with open("/etc/os-release", encoding="utf-8") as about:
        found = re.search(r"^VERSION_CODENAME=(\w+)", about.read(), re.M)
    if not found or found[1] not in SUITES:
        raise debian.Missing(f"iommufd: no kernel known for this machine's release; it has to be of {' or '.join(SUITES)}")
    return found[1]


def only(pattern):
    found = glob.glob(pattern)
    if len(found) != 1:
        raise debian.Missing(f"{pattern}: {len(found)} files")
    return os.path.abspath(found[0])


def lay_out(tree, make):
    """Modules to be made, in directories of their own; kbuild takes them from there."""
    source = f"{make}/source"
    os.makedirs(f"{make}/iommu")
    os.makedirs(source)
    packed = only(f"{tree}/usr/src/linux-source-*.tar.xz")
    name = os.path.basename(packed)[:-len(".tar.xz")]
    debian.output(["tar", "-C", source, "--strip-components=1", "-xf", packed, *(f"{name}/{part}" for part in SOURCE)])
    os.rename(f"{source}/drivers/vfio", f"{make}/vfio")
    os.rename(f"{source}/drivers/iommu/iommufd", f"{make}/iommu/iommufd")
    os.rename(f"{source}/drivers/iommu/iommu-priv.h", f"{make}/iommu/iommu-priv.h")
    with open(f"{source}/lib/interval_tree.c", encoding="utf-8") as text:
        spans = BUILT_IN.sub("", text.read())
    with open(f"{make}/iommu/iommufd/interval_tree.c", "w", encoding="utf-8") as text:
        text.write(spans)
    with open(f"{make}/iommu/iommufd/Makefile", "a", encoding="utf-8") as text:
        text.write("iommufd-y += interval_tree.o\n")
    with open(f"{make}/Makefile", "w", encoding="utf-8") as text:
        text.write("obj-m += iommu/iommufd/ vfio/\n")
    shutil.rmtree(source)


def build(tree, make):
    headers = only(f"{tree}/usr/src/linux-headers-*-amd64")
    with open(f"{headers}/Makefile", encoding="utf-8") as text:
        rules = text.read()
    with open(f"{headers}/Makefile", "w", encoding="utf-8") as text:
        text.write(re.sub(r"(?<=include )\S*(?=/linux-headers)", os.path.dirname(headers), rules))
    # kbuild's objtool needs it, this machine may not have it.
    os.makedirs(f"{make}/lib")
    for library in glob.glob(f"{tree}/**/libelf.so.1", recursive=True):
        shutil.copy(library, f"{make}/lib/")
    debian.output(["make", "-C", headers, f"M={os.path.abspath(make)}", *CONFIG, f"KCFLAGS={FLAGS}", "modules"],
                  env={"PATH": os.environ["PATH"], "LD_LIBRARY_PATH": os.path.abspath(f"{make}/lib")})


def install(tree, make):
    base = tree if os.path.isdir(f"{tree}/lib/modules") else f"{tree}/usr"
    modules = only(f"{base}/lib/modules/*/kernel")
    shutil.rmtree(f"{modules}/drivers/vfio", ignore_errors=True)
    for path in glob.glob(f"{make}/**/*.ko", recursive=True):
        to = f"{modules}/drivers/{os.path.relpath(path, make)}"
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copy(path, to)


def kernel(out):
    tree, make, done = f"{out}/iommufd", f"{out}/iommufd-modules", f"{out}/iommufd.made"
    debian.unpack(out, "iommufd", SUITES[release()], PACKAGES)
    with open(f"{tree}.state", encoding="ascii") as state, open(__file__, encoding="utf-8") as how:
        made = state.read() + how.read()
    if os.path.exists(done):
        with open(done, encoding="utf-8") as last:
            if last.read() == made:
                return tree
    print("... making the kernel's iommufd and VFIO modules", flush=True)
    shutil.rmtree(make, ignore_errors=True)
    lay_out(tree, make)
    build(tree, make)
    install(tree, make)
    shutil.rmtree(make)
    with open(done, "w", encoding="utf-8") as last:
        last.write(made)
    return tree
