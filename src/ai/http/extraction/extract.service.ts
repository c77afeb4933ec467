import { Injectable } from '@nestjs/common';
import { lastValueFrom } from 'rxjs';
import { AiService } from '../../pipeline/ai.service';
import { extractFormula } from '../../capabilities/extract-formula/extract-formula';
import { FormulaExtraction } from '../../capabilities/extract-formula/formula-extraction';
import type { CurrentUser } from '../../../platform/common/current-user';
import { ConcurrencyLimiter } from '../../../platform/request-limits/concurrency-limiter';
import { strengthIn } from '../../../ingredients/names/grade';
import { IngredientResolver } from '../../../ingredients/names/ingredient-resolver';
import { MAX_NAME_LENGTH, shownResolution } from '../../../ingredients/names/resolve.dto';
import { compose, type ReadLine } from './compose';
import type { ExtractedCompositionDto } from './extract.dto';

interface NamedLine {
  readonly inciName: string;
  readonly chineseName: string;
  readonly processNotes: string;
}

@Injectable()
export class ExtractService {
  constructor(
    private readonly ai: AiService,
    private readonly extraction: FormulaExtraction,
    private readonly resolver: IngredientResolver,
    private readonly limiter: ConcurrencyLimiter,
  ) {}

  /**
   * Reads a formula from a text, as the contract's extraction does, and finds the ingredients of its lines.
   * @throws ForbiddenError, AiFailure if no provider gave a usable answer
   */
  async extract(user: CurrentUser, text: string): Promise<ExtractedCompositionDto> {
    const input = { text };
    const { answer, source } = await lastValueFrom(this.ai.call(extractFormula, input, { user }));
    return this.limiter.run('catalogue', async () => {
      const extracted = await this.extraction.complete(user, answer, input);
      const { lines, unread, percentTotal } = extracted;
      // The answer is an announced example, which does not belong to the text.
      if (percentTotal === undefined) return { ...nothingOf(text), source };
      const read = await this.resolve(user, answer.ingredients);
      const composed = compose(extracted, read);
      return {
        ...composed,
        unread: unread.textLines.map((line) => ({ line, text: linesOf(text)[line - 1] ?? '' })),
        unreadCount: unread.count,
        title: unread.title ?? null,
        complete: lines.length > 0 && composed.unresolved.length === 0 && unread.count === 0,
        source,
      };
    });
  }

  /**
   * Resolves the names of each line: those in the text, without names that were added from the catalogue. A remark
   * that says a strength is part of the name, because a solution is not the substance.
   */
  private async resolve(user: CurrentUser, lines: readonly NamedLine[]): Promise<ReadLine[]> {
    const namesOfLines = lines
      .map(({ inciName, chineseName, processNotes }) => {
        const strength = strengthIn(processNotes);
        return [inciName.trim(), chineseName.trim()]
          .filter((name) => name !== '')
          .map((name) => (strength === undefined ? name : `${name} (${strength})`));
      })
      .filter((names) => names.length > 0);
    const names = [...new Set(namesOfLines.flat())].filter(({ length }) => length <= MAX_NAME_LENGTH);
    const resolutions = (await this.resolver.resolve(user, names)).map(shownResolution);
    const byName = new Map(resolutions.map((resolution) => [resolution.name, resolution]));
    return namesOfLines.map((own) => ({
      names: own,
      resolutions: own.flatMap((name) => byName.get(name) ?? []),
    }));
  }
}

/** Line ends as the extraction counts them. */
const BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;
const linesOf = (text: string): string[] => text.split(BREAK);

/** Returns the result for a text of which nothing was read: all lines that are not blank. */
function nothingOf(text: string) {
  const unread = linesOf(text)
    .map((written, index) => ({ line: index + 1, text: written }))
    .filter(({ text: written }) => written.trim() !== '');
  return {
    phases: [],
    lines: [],
    unresolved: [],
    unread,
    unreadCount: unread.length,
    title: null,
    percentTotal: '0',
    complete: false,
  };
}
