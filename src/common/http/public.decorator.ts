import { SetMetadata } from '@nestjs/common';

export const PUBLIC_ROUTE = 'formula:public-route';

/** Opens a route to callers without a token. The exact list of such routes is asserted by a test. */
export const Public = () => SetMetadata(PUBLIC_ROUTE, true);
