/*
 * The floors of the house (docs/ARCHITECTURE.md): imports go downwards only, rooms on one floor do not import each
 * other, nothing is circular. A new room is entered here; the check refuses a folder that has no floor.
 */
const FLOORS = [
  ['common', 'environment'],
  ['database'],
  ['runtime-config', 'health'],
  ['ingredients', 'projects', 'users'],
  ['formulas', 'auth'],
  ['ai', 'throttling'],
  ['color', 'extensions/[^/]+'],
  ['cli'],
];
/** The files directly below src (main, app.module, index ...) are the roof; cli stands on them and nothing on it. */
const ROOF = '^src/[^/]+$';

const inside = (rooms) => `^src/(${rooms.join('|')})/`;

const upwards = FLOORS.flatMap((rooms, floor) =>
  rooms.map((room) => {
    const beside = rooms.filter((other) => other !== room);
    const above = FLOORS.slice(floor + 1).flat();
    const isExtension = room.startsWith('extensions/');
    return {
      name: `floor-${floor}-${room.replace(/\/.*/, '')}`,
      severity: 'error',
      comment: `${room} is on floor ${floor}: it may import lower floors only, no room beside it and none above.`,
      from: { path: isExtension ? '^src/(extensions/[^/]+)/' : inside([room]) },
      to: {
        path: [
          inside([...beside, ...above, ...(isExtension ? [room] : [])]),
          ...(room === 'cli' ? [] : [ROOF]),
        ],
        // An extension is a room of its own: it may import itself, but no other extension.
        ...(isExtension ? { pathNot: '^src/$1/' } : {}),
      },
    };
  }),
);

module.exports = {
  forbidden: [
    ...upwards,
    {
      name: 'roof-stands-on-no-cli',
      severity: 'error',
      comment: 'Commands use the service; the service does not know its commands.',
      from: { path: ROOF },
      to: { path: inside(['cli']) },
    },
    {
      name: 'room-without-floor',
      severity: 'error',
      comment: 'A new folder below src needs its floor in .dependency-cruiser.cjs.',
      from: { path: '^src/.+/', pathNot: inside(FLOORS.flat()) },
      to: {},
    },
    {
      name: 'import-of-room-without-floor',
      severity: 'error',
      comment: 'A new folder below src needs its floor in .dependency-cruiser.cjs.',
      from: {},
      to: { path: '^src/.+/', pathNot: inside(FLOORS.flat()) },
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
      name: 'colour-difference-knows-no-service',
      severity: 'error',
      comment: 'Colour difference is pure mathematics over one library: it could be published alone.',
      from: { path: '^src/color/difference/', pathNot: '[.]spec[.]ts$' },
      to: { pathNot: ['^src/color/difference/', '^node_modules/(@types/)?culori/'] },
    },
    {
      name: 'colour-difference-by-its-index',
      severity: 'error',
      comment: 'What colour difference offers is in its index.',
      from: { path: '^src/', pathNot: '^src/color/difference/' },
      to: { path: '^src/color/difference/', pathNot: '^src/color/difference/index[.]ts$' },
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
