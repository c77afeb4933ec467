import { join } from 'node:path';
import base from '../jest.config.mjs';

/*
 * NestJS 12 comes as ES modules. Node.js itself can `require` them; jest's CommonJS loader needs them
 * translated.
 */
const rootDir = join(import.meta.dirname, '..');
const packages = '/node_modules/@nestjs/';
const commonjs = ['@swc/jest', { swcrc: false, module: { type: 'commonjs' }, jsc: { target: 'es2022' } }];

export default {
  ...base,
  rootDir,
  projects: base.projects.map((project) => ({
    ...project,
    rootDir,
    transform: { ...project.transform, [`${packages}.+\\.js$`]: commonjs },
    transformIgnorePatterns: ['/node_modules/(?!@nestjs/)'],
  })),
};
