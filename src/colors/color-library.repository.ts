import { Injectable } from '@nestjs/common';
import { type Slice } from '../platform/http/envelope';
import { offsetOf, type PageQuery } from '../platform/common/pagination';
import { DatabaseService, type Statement } from '../platform/database/database.service';
import { CieLabIndex, inOrder } from './cie-lab-index';
import { type PlacedColor, type CieLab, NearestColors, type Ranked } from './difference';
import type { NamedColorDto } from './color.dto';

const NAMED_COLOR = `id, name, pinyin, hex, json_build_object('L', l, 'a', a, 'b', b) AS lab, source`;

// A few thousand rows: comparing each spelling takes a millisecond or two, and `strpos` has no wildcards.
const FOUND = `strpos(spellings, $1) > 0`;

const LIST: Statement = {
  name: 'reference-colors.list',
  text: `SELECT ${NAMED_COLOR} FROM reference_colors ORDER BY source, name COLLATE "C", id LIMIT $1 OFFSET $2`,
};

const COUNT: Statement = {
  name: 'reference-colors.count',
  text: 'SELECT count(*) AS total FROM reference_colors',
};

// The exact name first, then names that begin with the text, then the others; shorter names first.
const SEARCH: Statement = {
  name: 'reference-colors.search',
  text: `SELECT ${NAMED_COLOR} FROM reference_colors WHERE ${FOUND}
         ORDER BY strpos(spellings, E'\\n' || $1 || E'\\n') = 0, strpos(spellings, E'\\n' || $1) = 0,
                  length(name), name COLLATE "C", id
         LIMIT $2 OFFSET $3`,
};

const COUNT_FOUND: Statement = {
  name: 'reference-colors.count-found',
  text: `SELECT count(*) AS total FROM reference_colors WHERE ${FOUND}`,
};

const POINTS_FOUND: Statement = {
  name: 'reference-colors.points-found',
  text: `SELECT id, l AS "L", a, b FROM reference_colors WHERE ${FOUND}`,
};

const BY_IDS: Statement = {
  name: 'reference-colors.by-ids',
  text: `SELECT ${NAMED_COLOR} FROM reference_colors WHERE id = ANY ($1::uuid[])`,
};

@Injectable()
export class ColorLibraryRepository {
  private readonly colors: NearestColors;

  constructor(private readonly database: DatabaseService) {
    this.colors = new NearestColors(new CieLabIndex(database, 'reference_colors'));
  }

  /** Returns the colours by source and name. */
  async list(page: PageQuery): Promise<Slice<NamedColorDto>> {
    const [rows, total] = await Promise.all([
      this.database.query<NamedColorDto>(LIST, [page.limit, offsetOf(page)]),
      this.count(),
    ]);
    return { rows, total };
  }

  /** Returns the colours with `text` in one of their spellings, regardless of case, the best match first. */
  async search(text: string, page: PageQuery): Promise<Slice<NamedColorDto>> {
    const spelling = text.toLowerCase();
    const [rows, [count]] = await Promise.all([
      this.database.query<NamedColorDto>(SEARCH, [spelling, page.limit, offsetOf(page)]),
      this.database.query<{ total: number }>(COUNT_FOUND, [spelling]),
    ]);
    return { rows, total: count?.total ?? 0 };
  }

  async count(): Promise<number> {
    const [count] = await this.database.query<{ total: number }>(COUNT);
    return count?.total ?? 0;
  }

  /** Returns exactly the `count` colours nearest by CIEDE2000, nearest first, ties by id. */
  nearestByCiede2000(query: CieLab, count: number): Promise<Ranked[]> {
    return this.colors.byCiede2000(query, count);
  }

  /** Returns the coordinates of the colours that `search` finds. */
  coordinatesOf(text: string): Promise<PlacedColor[]> {
    return this.database.query<PlacedColor>(POINTS_FOUND, [text.toLowerCase()]);
  }

  /** Returns the ranked colours in their order, with their distance. */
  async findRanked(ranked: readonly Ranked[]): Promise<(NamedColorDto & { distance: number })[]> {
    if (ranked.length === 0) return [];
    const ids = ranked.map(({ id }) => id);
    return inOrder(ranked, await this.database.query<NamedColorDto>(BY_IDS, [ids]));
  }
}
