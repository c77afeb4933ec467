/*
 * How long PGlite itself takes to open an existing directory with the service's extensions and answer: prints
 * milliseconds.
 */
const started = performance.now();
const { PGlite } = await import('@electric-sql/pglite');
const { cube } = await import('@electric-sql/pglite/contrib/cube');
const { pg_trgm } = await import('@electric-sql/pglite/contrib/pg_trgm');
const pg = await PGlite.create({ dataDir: process.argv[2], extensions: { cube, pg_trgm } });
await pg.query('SELECT 1');
console.log(performance.now() - started);
await pg.close();
