/*
 * The layers (docs/ARCHITECTURE.md), lowest first: imports go downwards only, modules of one layer do not
 * import each other, nothing is circular. A new folder of src is entered here; the check refuses one that has
 * no layer.
 */
const LAYERS = [
  ['common', 'environment'],
  ['database'],
  ['runtime-config', 'health'],
  ['ingredients', 'projects', 'users'],
  ['formulas', 'auth'],
  ['ai', 'throttling'],
  ['color', 'extensions/[^/]+'],
  ['cli'],
];
/**
 * The files directly in src (main, app.module, index ...) put the application together and may import every
 * module.
 */
const APPLICATION = '^src/[^/]+$';

const inside = (modules) => `^src/(${modules.join('|')})/`;

const downwardsOnly = LAYERS.flatMap((modules, layer) =>
  modules.map((module) => {
    const beside = modules.filter((other) => other !== module);
    const above = LAYERS.slice(layer + 1).flat();
    const isExtension = module.startsWith('extensions/');
    return {
      name: `layer-${layer}-${module.replace(/\/.*/, '')}`,
      severity: 'error',
      comment: `${module} is in layer ${layer}: it may import lower layers only, no module beside it and none above.`,
      from: { path: isExtension ? '^src/(extensions/[^/]+)/' : inside([module]) },
      to: {
        path: [
          inside([...beside, ...above, ...(isExtension ? [module] : [])]),
          ...(module === 'cli' ? [] : [APPLICATION]),
        ],
        // Each extension is a module of its own: it may import itself, but no other extension.
        ...(isExtension ? { pathNot: '^src/$1/' } : {}),
      },
    };
  }),
);

module.exports = {
  forbidden: [
    ...downwardsOnly,
    {
      name: 'application-imports-no-cli',
      severity: 'error',
      comment: 'Commands use the service; the service does not know its commands.',
      from: { path: APPLICATION },
      to: { path: inside(['cli']) },
    },
    {
      name: 'module-without-layer',
      severity: 'error',
      comment: 'A new folder below src needs its layer in .dependency-cruiser.cjs.',
      from: { path: '^src/.+/', pathNot: inside(LAYERS.flat()) },
      to: {},
    },
    {
      name: 'import-of-module-without-layer',
      severity: 'error',
      comment: 'A new folder below src needs its layer in .dependency-cruiser.cjs.',
      from: {},
      to: { path: '^src/.+/', pathNot: inside(LAYERS.flat()) },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolvable',
      severity: 'error',
      comment: 'The import leads nowhere.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-dependency',
      severity: 'error',
      comment: 'What runs in production is a dependency.',
      from: { path: '^src/', pathNot: '[.]spec[.]ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-storage-knows-typeorm',
      severity: 'error',
      comment: 'Services speak in named repository methods.',
      from: {
        path: '^src/',
        pathNot: '([.](entity|repository|module|spec)[.]ts$)|(^src/database/)|(^src/index[.]ts$)',
      },
      to: { path: '^node_modules/(typeorm|pg)/' },
    },
    {
      name: 'no-test-code',
      severity: 'error',
      from: { path: '^src/', pathNot: '[.]spec[.]ts$' },
      to: { path: '([.]spec[.]ts$)|(^(test|bench|scripts)/)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
