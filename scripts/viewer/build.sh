#!/bin/sh
# Make tiler/render/viewer/three.min.js anew: what the viewer uses of three.js, in one file. Needs npm and the network.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/three.js" "$work/entry.js"
cd "$work"
npm install --silent three@0.187.0 esbuild@0.28.2
npx esbuild entry.js --bundle --minify --format=iife --global-name=THREE --legal-comments=inline --outfile=three.min.js
cp three.min.js "$here/../../tiler/render/viewer/three.min.js"
cp node_modules/three/LICENSE "$here/../../tiler/render/viewer/three.LICENSE"
