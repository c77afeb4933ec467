/*
 * The layers (docs/ARCHITECTURE.md), lowest first: imports go downwards only, modules of one layer do not
 * import each other, nothing is circular. A new folder of src is entered here; the check refuses one that has
 * no layer. The folders of a platform layer belong together and may import each other.
 */
const LAYERS = [
  ['platform/(?:common|texts|validation|openapi|http|sse)'],
  [
    'platform/(?:config|observability|database|redis|access|authentication|runtime-config|events|custom-fields|health|request-limits|server)',
  ],
  ['users', 'files', 'documents', 'formula-text'],
  ['ingredients', 'projects'],
  ['formulas'],
  ['labels', 'regulations', 'ai'],
  ['colors', 'extensions/[^/]+'],
  ['cli', 'testing'],
];
/**
 * The files directly in src (main, app.module, index ...) put the application together and may import every
 * module.
 */
const APPLICATION = '^src/[^/]+$';

/** Mathematics that imports nothing of the service: it is as good as a library, for every layer. */
const COLOUR_DIFFERENCE = '^src/colors/difference/index[.]ts$';

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
          ...(['cli', 'testing'].includes(module) ? [] : [APPLICATION]),
        ],
        // Each extension is a module of its own: it may import itself, but no other extension.
        pathNot: [COLOUR_DIFFERENCE, ...(isExtension ? ['^src/$1/'] : [])],
      },
    };
  }),
);

/*
 * The layers inside src/ai, the lowest first: the port, the adapters over it, one call and what is around it,
 * what can be asked, HTTP. Imports go downwards only; providers do not import each other, but the base of
 * those with an SDK.
 */
const AI_LAYERS = ['providers', 'pipeline', 'capabilities', 'http'];

const aiLayers = [
  ...AI_LAYERS.map((layer, at) => ({
    name: `ai-layer-${layer}`,
    severity: 'error',
    comment: `ai/${layer} may import the layers below it only.`,
    from: { path: `^src/ai/${layer}/` },
    to: { path: `^src/ai/(${[...AI_LAYERS.slice(at + 1).map((above) => `${above}/`), '[^/]+$'].join('|')})` },
  })),
  {
    name: 'ai-folder-without-layer',
    severity: 'error',
    comment: 'A new folder below src/ai needs its layer in .dependency-cruiser.cjs.',
    from: { path: '^src/ai/[^/]+/', pathNot: `^src/ai/(${AI_LAYERS.join('|')})/` },
    to: {},
  },
  {
    name: 'ai-provider-beside-provider',
    severity: 'error',
    comment: 'Providers know the port and the base of those with an SDK, not each other.',
    from: { path: '^src/ai/providers/([^/]+)/' },
    to: { path: '^src/ai/providers/[^/]+/', pathNot: '^src/ai/providers/($1|sdk)/' },
  },
];

module.exports = {
  forbidden: [
    ...downwardsOnly,
    ...aiLayers,
    {
      name: 'application-imports-no-cli-or-testing',
      severity: 'error',
      comment: 'Commands and tests use the service; it does not know them.',
      from: { path: APPLICATION },
      to: { path: inside(['cli', 'testing']) },
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
      from: { path: '^src/', pathNot: '[.](spec|fake)[.]ts$|^src/testing/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-storage-knows-typeorm',
      severity: 'error',
      comment: 'Services speak in named repository methods.',
      from: {
        path: '^src/',
        pathNot: '([.](entity|repository|module|spec)[.]ts$)|(^src/platform/database/)|(^src/index[.]ts$)',
      },
      to: { path: '(^|/)node_modules/(typeorm|pg)/' },
    },
    {
      name: 'colour-difference-knows-no-service',
      severity: 'error',
      comment: 'Colour difference is pure mathematics over one library: it could be published alone.',
      from: { path: '^src/colors/difference/', pathNot: '[.]spec[.]ts$' },
      to: { pathNot: ['^src/colors/difference/', '(^|/)node_modules/(@types/)?culori/'] },
    },
    {
      name: 'colour-difference-by-its-index',
      severity: 'error',
      comment: 'What colour difference offers is in its index.',
      from: { path: '^src/', pathNot: '^src/colors/difference/' },
      to: { path: '^src/colors/difference/', pathNot: '^src/colors/difference/index[.]ts$' },
    },
    {
      name: 'formula-text-knows-no-service',
      severity: 'error',
      comment:
        'The reader of pasted texts is pure: it imports nothing of the service and no package but a CSV parser.',
      from: { path: '^src/formula-text/', pathNot: '[.]spec[.]ts$' },
      to: { pathNot: ['^src/formula-text/', '(^|/)node_modules/csv-parse/'] },
    },
    {
      name: 'no-test-code',
      severity: 'error',
      from: { path: '^src/', pathNot: '[.](spec|fake)[.]ts$' },
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
