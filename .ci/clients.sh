# Clients by generators that would make `npm ci` much slower as development dependencies.

# client_generators DIRECTORY: the versions of docs/clients.md for Node.js 20
client_generators() {
  mkdir "$1" && npm install --prefix "$1" --no-save --ignore-scripts orval@7.13.2 swagger-typescript-api@13.13.0
}

# client_packages: fetches them
client_packages() {
  gate 'packages of orval and swagger-typescript-api' client_generators "$trees/generators"
  if last_gate_passed; then touch "$trees/generators.complete"; fi
}

# generated_clients: the end-to-end test of generated clients, on the embedded database
generated_clients() {
  local name='clients by orval and swagger-typescript-api'
  if [ -e "$trees/generators.complete" ]; then
    tests "$name" env -u TEST_DATABASE_URL CLIENT_GENERATORS="$trees/generators" \
      npx jest --selectProjects e2e --testPathPatterns generated-client
  else
    missing "$name"
  fi
}
