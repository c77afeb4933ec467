/* The baselines behind node:http, without token check or validation: what HTTP itself adds to them. */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { orderBySqrt, readAllAndSort } from './baselines.mjs';

const require = createRequire(import.meta.url);
const { ciede2000 } = require('../../dist/colors/difference/index.js');

/** GET /all and /sqrt with L, a and b. */
export const baselineServer = (pool) =>
  createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const [L, a, b] = ['L', 'a', 'b'].map((name) => Number(searchParams.get(name)));
    const answer =
      pathname === '/all'
        ? readAllAndSort(pool, ciede2000, { L, a, b }, 5)
        : orderBySqrt(pool, { L, a, b }, 5);
    answer.then(
      (data) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ data })),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
