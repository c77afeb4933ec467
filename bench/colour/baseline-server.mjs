/* The baselines over HTTP in a process of their own, on the server that DATABASE_URL names. */
import pg from 'pg';
import { baselineServer } from './baseline-http.mjs';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 2 });
baselineServer(pool).listen(Number(process.env.PORT), '127.0.0.1');
