# The versions of NestJS, of Node.js and of the peer dependencies that we do not run on yet, or not only: unit tests
# and ten end-to-end files.

# The end-to-end files that touch most of what a framework or a runtime can change.
compatibility_files='/(auth|plain-boot|errors|health|config|extension|ingredients|formulas|ai-endpoints|ai-streams)\.e2e'

# nest_unit_tests: the unit tests that use NestJS itself
nest_unit_tests() { git grep -l "from '@nestjs/" -- 'src/**/*.spec.ts'; }

# Those that try most numbers: others try the same arithmetic.
many_numbers='src/colors/difference/(nearest-search|least-ciede2000|ciede2000-bound)[.]'

in_directory() { (cd "$1" && shift && "$@"); }

# copy_of_tree DIRECTORY: the files of the commit and what is installed, to change at will
copy_of_tree() {
  mkdir "$1" && git ls-files -z | xargs -0 cp --parents -t "$1" && cp -a node_modules "$1/node_modules"
}

# install_peers DIRECTORY lowest|newest: the package.json is that of the commit again afterwards
install_peers() {
  (cd "$1" && cp package.json package.json.kept && node .ci/peers.mjs "$2" && npm install --ignore-scripts &&
    npm ls --depth 0) || return 1
  mv "$1/package.json.kept" "$1/package.json"
}

# nest_12 DIRECTORY: a copy of the tree with the newest versions that the peer dependencies allow
nest_12() {
  copy_of_tree "$1" || return 1
  install_peers "$1" newest || return 1
  local version
  version=$(cd "$1" && node -p 'require("@nestjs/core/package.json").version')
  echo "NestJS $version"
  [ "${version%%.*}" = 12 ]
}

# lowest_peers DIRECTORY: a copy of the tree with the lowest versions that the peer dependencies allow
lowest_peers() {
  copy_of_tree "$1" && install_peers "$1" lowest
}

# node_24 DIRECTORY: Node.js 24 from npm's own package of it
node_24() {
  mkdir "$1" && npm install --prefix "$1" --no-save node@24 || return 1
  local version
  version=$("$1/node_modules/node/bin/node" --version)
  echo "Node.js $version"
  [ "${version%%.*}" = v24 ]
}

# other_versions: fetches both, in copies of their own, and checks the types; what cannot be fetched is a failure
other_versions() {
  local nest="$trees/nest-12" lowest="$trees/lowest"
  gate 'packages of NestJS 12' nest_12 "$nest"
  if last_gate_passed; then
    touch "$nest.complete"
    gate 'types with NestJS 12' in_directory "$nest" npx tsc -p tsconfig.build.json --noEmit
  fi
  gate 'Node.js 24' node_24 "$trees/node-24"
  if last_gate_passed; then gate 'lowest versions of the peer dependencies' lowest_peers "$lowest"; fi
  if last_gate_passed; then
    touch "$lowest.complete"
    gate 'types with the lowest versions' in_directory "$lowest" npx tsc -p tsconfig.build.json --noEmit
  fi
}

# tests_on_other_versions: the tests, once `other_versions` has ended
tests_on_other_versions() {
  local nest="$trees/nest-12" lowest="$trees/lowest" name
  name='unit tests of NestJS code and ten end-to-end files, NestJS 12'
  if [ -e "$nest.complete" ]; then
    tests "$name" in_directory "$nest" \
      npx jest --config .ci/jest-esm-packages.mjs --selectProjects unit e2e --testPathPatterns $(nest_unit_tests) "$compatibility_files"
  else
    missing "$name"
  fi

  # The one run tries two things: what fails in it is tried with each of them by hand.
  name='unit tests and ten end-to-end files, Node.js 24 and the lowest versions'
  if [ -e "$lowest.complete" ]; then
    tests "$name" in_directory "$lowest" env PATH="$trees/node-24/node_modules/node/bin:$PATH" \
      npx jest --selectProjects unit e2e --testPathPatterns '[.]spec[.]ts$' "$compatibility_files" \
      --testPathIgnorePatterns "$many_numbers"
  else
    missing "$name"
  fi
}
