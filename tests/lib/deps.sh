#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Install what packages.txt lists and this Debian machine lacks (run by `make deps`, and before the targets that need it).
#   deps.sh [LIST]
# As root, or with sudo that asks no password, it installs; otherwise it prints the command to type and fails.
set -u
list=${1:-packages.txt}

installed() {
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2> /dev/null)" = installed ]
}

available() {
	apt-cache show --no-all-versions "$1" > /dev/null 2>&1
}

# The alternative of a line that this release has; fails if there is none.
choose() {
	local package
	for package in ${1//|/ }; do
		available "$package" && echo "$package" && return
	done
	return 1
}

if ! command -v dpkg-query > /dev/null; then
	echo "deps: this is no Debian system; please see to it that these are there:" >&2
	sed 's/#.*//; /^$/d' "$list" >&2
	exit 0
fi

# What is missing, a line of alternatives each.
missing=()
while read -r line; do
	line=${line%%#*}
	[ -n "${line// /}" ] || continue
	found=
	for package in ${line//|/ }; do
		installed "$package" && found=yes
	done
	[ -n "$found" ] || missing+=("$line")
done < "$list"
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" = 0 ]; then
	sudo=()
elif sudo -n true 2> /dev/null; then
	sudo=(sudo -n)
else
	packages=()
	for line in "${missing[@]}"; do
		# before an update nothing may be known yet: then the first alternative
		read -r -a words <<< "${line//|/ }"
		packages+=("$(choose "$line" || echo "${words[0]}")")
	done
	echo "deps: packages are missing; type:" >&2
	echo "    sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages[*]}" >&2
	exit 1
fi

echo "deps: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
"${apt[@]}" update || exit 1
packages=()
for line in "${missing[@]}"; do
	chosen=$(choose "$line") || {
		echo "deps: this release has none of: $line" >&2
		exit 1
	}
	packages+=("$chosen")
done
"${apt[@]}" install -y --no-install-recommends "${packages[@]}"
