import { Injectable } from '@nestjs/common';
import type { ColorFormulaDto, UpdateColorFormulaDto } from '../color.dto';
import { ColorService } from '../color.service';
import type { CurrentUser } from '../../platform/common/current-user';
import type { Slice } from '../../platform/http/envelope';
import type { ColorFormulaQuery, MeasuredColorDto } from './color-formulas.dto';

/** A colour, and the tag that names this state of it. */
export interface TaggedColor {
  readonly color: MeasuredColorDto;
  readonly tag: string;
}

/** Stored colours with the differences between target and measurement. */
@Injectable()
export class ColorFormulasService {
  constructor(private readonly colors: ColorService) {}

  async list(user: CurrentUser, query: ColorFormulaQuery): Promise<Slice<MeasuredColorDto>> {
    const { rows, total } = await this.colors.list(user, query);
    return { rows: rows.map((color) => this.measured(color)), total };
  }

  /** @throws NotFoundError */
  async get(user: CurrentUser, id: string): Promise<TaggedColor> {
    return this.tagged(await this.colors.get(user, id));
  }

  /** @throws InvalidInputError, NotFoundError, ForbiddenError, PreconditionFailedError */
  async update(
    user: CurrentUser,
    id: string,
    input: UpdateColorFormulaDto,
    ifMatch?: string,
  ): Promise<TaggedColor> {
    return this.tagged(await this.colors.update(user, id, input, ifMatch));
  }

  /** @throws NotFoundError, ForbiddenError, PreconditionFailedError */
  delete(user: CurrentUser, id: string, ifMatch?: string): Promise<void> {
    return this.colors.delete(user, id, ifMatch);
  }

  private tagged(color: ColorFormulaDto): TaggedColor {
    return { color: this.measured(color), tag: this.colors.entityTag(color) };
  }

  private measured(color: ColorFormulaDto): MeasuredColorDto {
    return { ...color, ...this.colors.differencesOf(color) };
  }
}
