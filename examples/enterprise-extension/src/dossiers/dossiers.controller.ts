import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags, PartialType } from '@nestjs/swagger';
import {
  ApiErrors,
  ApiPage,
  ApiRecord,
  type CurrentUser,
  IdField,
  CustomFieldsService,
  page,
  PageQuery,
  PathId,
  QueryTextField,
  record,
  ResponseType,
  text,
  TextField,
  User,
} from 'formula-development-service';
import { DOSSIER, DossierFields } from './dossier.fields';

class DossierDto extends ResponseType(DossierFields) {}

class ChangeDossierDto extends PartialType(DossierFields) {}

class FoundDossierFields extends DossierFields {
  @IdField({ description: 'Of the formula' })
  id!: string;

  @TextField({ max: 200, description: 'What the formula is called' })
  recordName!: string;
}

class FoundDossierDto extends ResponseType(FoundDossierFields) {}

class DossierQuery extends PageQuery {
  @QueryTextField({ max: 20, description: 'The code, exactly' })
  code?: string;
}

// #region controller
@ApiTags('dossiers')
@Controller('ext/dossiers')
export class DossiersController {
  constructor(private readonly customFields: CustomFieldsService) {}

  /** Formulas that have a dossier, or the one whose dossier has this code. */
  @Get()
  @ApiPage(FoundDossierDto)
  async find(@User() user: CurrentUser, @Query() query: DossierQuery) {
    return page(await this.customFields.find(user, DOSSIER, { code: query.code }, query), query);
  }

  /** A formula's dossier. */
  @Get(':formulaId')
  @ApiRecord(DossierDto)
  @ApiErrors({ 404: text('formula.not-found') })
  async read(@User() user: CurrentUser, @Param('formulaId', PathId) id: string) {
    return record(await this.customFields.read(user, DOSSIER, id));
  }

  /** Changes what is given; null clears. */
  @Put(':formulaId')
  @ApiRecord(DossierDto)
  @ApiErrors({ 404: text('formula.not-found'), 409: DOSSIER.violations!.uq_ext_dossiers_code! })
  async write(
    @User() user: CurrentUser,
    @Param('formulaId', PathId) id: string,
    @Body() changes: ChangeDossierDto,
  ) {
    return record(await this.customFields.write(user, DOSSIER, id, changes));
  }
}
// #endregion
