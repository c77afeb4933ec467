import { Module } from '@nestjs/common';
import { AI_CAPABILITY, AiModule } from 'formula-development-service';
import { nameProduct } from './name-product';
import { ProductNamesController } from './product-names.controller';

// #region module
@Module({
  imports: [AiModule],
  controllers: [ProductNamesController],
  // The start checks the preset for this input against the schema.
  providers: [
    { provide: AI_CAPABILITY, useValue: { capability: nameProduct, input: { idea: '清爽的防晒乳' } } },
  ],
})
export class ProductNamesModule {}
// #endregion
