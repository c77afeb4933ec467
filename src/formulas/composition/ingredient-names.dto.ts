import { ApiProperty } from '@nestjs/swagger';
import type { NamedIngredient } from './composition';

/** The ingredient of a line, by its id and names. */
export class IngredientNamesDto implements NamedIngredient {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'International name (INCI)', example: 'Glycerin' })
  inciName!: string;

  @ApiProperty({ example: '甘油' })
  chineseName!: string;
}
