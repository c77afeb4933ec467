import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AiService, record, TextField, UseLane } from 'formula-development-service';
import { lastValueFrom } from 'rxjs';
import { nameProduct } from './name-product';

// #region controller
export class ProductIdeaDto {
  @TextField({ max: 200, example: '清爽的防晒乳' })
  idea!: string;
}

@ApiTags('product names')
@Controller('ext/product-names')
export class ProductNamesController {
  constructor(private readonly ai: AiService) {}

  /** Proposes names; `source` is the provider, `cache`, or `fallback` for the preset. */
  @Post()
  @UseLane('short')
  async propose(@Body() input: ProductIdeaDto) {
    const { answer, source } = await lastValueFrom(this.ai.call(nameProduct, input));
    return record({ ...answer, source });
  }
}
// #endregion
