import { NestFactory } from '@nestjs/core';
import { apiDocument } from 'formula-development-service';
import { application } from './app.module';

// #region document
/** The document of all routes, ours and the service's. Under test the database is in memory. */
export async function openApiDocument() {
  const app = await NestFactory.create(application, { logger: false });
  try {
    await app.init();
    return apiDocument(app);
  } finally {
    await app.close();
  }
}
// #endregion
