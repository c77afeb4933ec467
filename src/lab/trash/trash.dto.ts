import { ApiProperty } from '@nestjs/swagger';

class DeleterDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null where the access policy does not let the account read names',
    example: 'lin',
  })
  username!: string | null;
}

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
    type: DeleterDto,
    nullable: true,
    description: 'Null where there is no such account any more',
  })
  deletedBy!: DeleterDto | null;

  @ApiProperty({ type: String, format: 'date-time', description: 'From then on it cannot be restored' })
  until!: string;

  @ApiProperty({ description: 'Whether the account may restore it, and remove it for good', example: true })
  canRestore!: boolean;
}
