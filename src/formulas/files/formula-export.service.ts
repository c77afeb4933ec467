import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../platform/access/row-filter';
import { distinct } from '../../platform/common/collections';
import { FormulasRepository } from '../formulas.repository';
import type { Cell, Pieces } from '../../files/writing/file-pieces';
import type { FormulaDto, FormulaVersionDto } from '../formula.dto';
import { type ExportedVersion, FormulaFilesRepository, type VersionsQuery } from './formula-files.repository';
import type { FormulaColumn } from './formula-file.words';

/** All formulas that a reader may see, piece by piece. */
@Injectable()
export class FormulaExportService {
  constructor(
    private readonly files: FormulaFilesRepository,
    private readonly formulas: FormulasRepository,
  ) {}

  /** `{"data":[…]}`: each formula as the contract answers it, with the chosen versions. */
  async *json(filter: RowFilter, query: VersionsQuery): Pieces {
    let [open, id] = ['{"data":[', ''];
    for await (const page of this.files.versions(filter, query)) {
      let piece = '';
      for (const { id: next, formula, version } of page) {
        piece += next === id ? ',' : `${open}${formula.slice(0, -1)},"versions":[`;
        piece += version;
        [open, id] = [']},', next];
      }
      yield piece;
    }
    yield id === '' ? '{"data":[]}' : ']}]}';
  }

  /** A record for each line, by column. */
  async *lines(filter: RowFilter, query: VersionsQuery): AsyncGenerator<Record<FormulaColumn, Cell>[]> {
    for await (const page of this.files.versions(filter, query)) {
      const lines = page.flatMap(exportedLines);
      const ids = distinct(lines.map(({ ingredientId }) => ingredientId));
      const ingredients = await this.formulas.findIngredients(filter, ids);
      yield lines.map((line) => ({
        ...line,
        supplier: ingredients.get(line.ingredientId)?.supplier ?? null,
      }));
    }
  }
}

type ExportedLine = Record<Exclude<FormulaColumn, 'supplier'>, Cell> & { ingredientId: string };

function exportedLines({ id, versionNumber, formula, version }: ExportedVersion): ExportedLine[] {
  const { name, description, project } = JSON.parse(formula) as FormulaDto;
  const { description: versionDescription, phases } = JSON.parse(version) as FormulaVersionDto;
  return phases.flatMap((phase) =>
    phase.ingredients.map(({ ingredientId, ingredient, percentage, processNotes = null }) => ({
      formulaId: id,
      formula: name,
      project: project?.name ?? null,
      description: description ?? null,
      version: versionNumber,
      versionDescription,
      phase: phase.name,
      phaseOrder: phase.sortOrder,
      ingredientId,
      inciName: ingredient.inciName,
      chineseName: ingredient.chineseName,
      percentage,
      processNotes,
    })),
  );
}
