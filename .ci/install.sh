# install_packages PACKAGE...: Debian's, without the services that they would start: tests start servers of their own
install_packages() {
  local sudo=''
  [ "$(id -u)" -eq 0 ] || sudo='sudo -n'
  command -v apt-get >/dev/null || { echo "No apt-get here to install $* with."; return 1; }
  $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
    apt-get install -y --no-install-recommends "$@"
}

# install_program PROGRAM PACKAGE: unless it is here. Where it is missing, its tests fail in CI.
install_program() {
  # Debian puts some where only root's PATH leads.
  PATH="$PATH:/usr/sbin" command -v "$1" >/dev/null || install_packages "$2"
}

# Redis is also tested by TLS.
install_redis() {
  install_program redis-server redis-server && install_program openssl openssl
}
