import { Injectable } from '@nestjs/common';
import type { CurrentUser } from '../platform/common/current-user';
import { linesOf } from '../formulas/composition/composition';
import { CompositionsService } from '../formulas/composition/compositions.service';
import { inSlices } from '../platform/common/steps';
import { declaring } from './declaration';
import type { DeclarationDto, DeclarationQuery } from './declaration.dto';
import { shownDeclaration } from './shown-declaration';

@Injectable()
export class DeclarationService {
  constructor(private readonly compositions: CompositionsService) {}

  /** @throws NotFoundError, ConflictError where the version has too many substances */
  async declare(user: CurrentUser, formulaId: string, query: DeclarationQuery): Promise<DeclarationDto> {
    const [composition] = await this.compositions.read(user, [{ formulaId, version: query.version }]);
    const expansion = await this.compositions.expand(user, composition);
    const declaration = await inSlices(declaring(expansion, linesOf(composition), query));
    return inSlices(shownDeclaration(composition, declaration, query, query.lang));
  }
}
