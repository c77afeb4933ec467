import { ApiProperty } from '@nestjs/swagger';
import { AccountNameDto } from '../../users/people/people.dto';

/** A deleted formula in the trash. */
export class TrashedFormulaDto {
  @ApiProperty({
    format: 'uuid',
    description: 'The id that the formula had, and has again when it is restored',
  })
  id!: string;

  @ApiProperty({ example: '保湿霜' })
  name!: string;

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
