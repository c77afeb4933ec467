import { Injectable } from '@nestjs/common';
import { InvalidInputError } from '../platform/common/errors/service-error';
import { type Slice } from '../platform/http/envelope';
import { offsetOf } from '../platform/common/pagination';
import { text } from '../platform/texts/text';
import { type CieLab, rankByCiede2000 } from './difference';
import { type LibraryQuery, type NamedColorDto } from './color.dto';
import { ColorLibraryRepository } from './color-library.repository';

@Injectable()
export class ColorLibraryService {
  constructor(private readonly library: ColorLibraryRepository) {}

  /**
   * Returns all named colours, those found by name, or, for a given colour, the nearest by CIEDE2000
   * first (among those found, if there is a text).
   * @throws InvalidInputError if only some of L, a and b are given
   */
  async find(query: LibraryQuery): Promise<Slice<NamedColorDto>> {
    const color = colorOf(query);
    const text = query.search?.trim().normalize();
    if (color) return this.nearest(color, query, text);
    return text ? this.library.search(text, query) : this.library.list(query);
  }

  private async nearest(color: CieLab, query: LibraryQuery, text?: string): Promise<Slice<NamedColorDto>> {
    const found = text ? await this.library.coordinatesOf(text) : undefined;
    const total = found ? found.length : await this.library.count();
    const from = offsetOf(query);
    if (from >= total) return { rows: [], total };
    const wanted = Math.min(from + query.limit, total);
    const ranked = found
      ? rankByCiede2000(found, color, wanted)
      : await this.library.nearestByCiede2000(color, wanted);
    const shown = await this.library.findRanked(ranked.slice(from));
    return { rows: shown.map(({ distance, ...color }) => ({ ...color, deltaE: distance })), total };
  }
}

function colorOf({ L, a, b }: LibraryQuery): CieLab | undefined {
  if (L === undefined && a === undefined && b === undefined) return undefined;
  if (L !== undefined && a !== undefined && b !== undefined) return { L, a, b };
  const missing = Object.entries({ L, a, b }).filter(([, value]) => value === undefined);
  throw InvalidInputError.of(missing.map(([field]) => ({ field, message: text('color.incomplete-lab') })));
}
