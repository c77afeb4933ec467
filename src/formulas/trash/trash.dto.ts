import { ApiProperty, PickType } from '@nestjs/swagger';
import { FormulaMetadataDto } from '../formula.dto';
import { AccountNameDto } from '../../users/people/people.dto';

export class TrashedFormulaDto extends PickType(FormulaMetadataDto, ['id', 'name']) {
  @ApiProperty({ type: String, format: 'date-time' })
  deletedAt!: string;

  @ApiProperty({
    type: AccountNameDto,
    nullable: true,
    description: 'Null where there is no such account any more',
  })
  deletedBy!: AccountNameDto | null;

  @ApiProperty({ type: String, format: 'date-time', description: 'From then on it cannot be restored' })
  until!: string;

  @ApiProperty({ description: 'Whether the account may restore it, and remove it for good', example: true })
  canRestore!: boolean;
}
