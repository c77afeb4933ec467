// @ts-check
'use strict';

const fs = require('node:fs');

/**
 * Puts two things right in the file system of PGlite's directories that a database which is switched off in
 * the middle of a write depends on:
 * - `fsync` reaches the disk. PGlite's own has no fsync at all: the call succeeds and does nothing, so
 *   turning PostgreSQL's fsync setting on changes nothing by itself.
 * - `rename` replaces its target in one step. PGlite's own deletes the target first, and a crash between the
 *   two steps leaves neither the old nor the new file.
 *
 * fdatasync cannot be reached from here, so PostgreSQL must run with `wal_sync_method=fsync`.
 *
 * @param {any} FS Emscripten's file system
 */
function makeDurable(FS) {
  const nodefs = FS.filesystems.NODEFS;
  const onWindows = process.platform === 'win32';
  const openFile = nodefs.stream_ops.open;

  nodefs.stream_ops.open = (/** @type {any} */ stream) => {
    // Windows does not open directories; PostgreSQL only ever does so to sync them.
    if (!(onWindows && FS.isDir(stream.node.mode))) openFile(stream);
  };

  nodefs.stream_ops.fsync = (/** @type {any} */ stream) => {
    if (stream.nfd !== undefined) nodefs.tryFSOperation(() => fs.fsyncSync(stream.nfd));
    return 0;
  };

  nodefs.node_ops.rename = (
    /** @type {any} */ node,
    /** @type {any} */ parent,
    /** @type {string} */ name,
  ) => {
    let replaced;
    try {
      replaced = FS.lookupNode(parent, name);
    } catch {
      // Nothing there: a plain rename.
    }
    const target = `${nodefs.realPath(parent)}/${name}`;
    nodefs.tryFSOperation(() => fs.renameSync(nodefs.realPath(node), target));
    if (replaced) FS.destroyNode(replaced);
    node.name = name;
  };
}

module.exports = { makeDurable };
