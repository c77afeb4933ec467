'use strict';

const { execFileSync } = require('node:child_process');
const { mkdtempSync, symlinkSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { dirname, join } = require('node:path');

const root = dirname(dirname(module.filename));

/**
 * Builds another commit, with the packages that are installed here.
 * @param {string} commit as Git understands it
 * @returns {string} a directory of the build's own, which the caller removes
 */
exports.buildOfCommit = (commit) => {
  const directory = mkdtempSync(join(tmpdir(), 'build-'));
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', directory], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'), 'dir');
  execFileSync('npm', ['run', 'build'], { cwd: directory, stdio: 'pipe' });
  return directory;
};
