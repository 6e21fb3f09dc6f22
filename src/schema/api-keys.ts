import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { ShownApiKey } from '../platform/auth/api-key-pages.js';
import type { Role as RoleName } from '../platform/auth/auth.js';
import { connectionOf } from './connections.js';
import { lowerCaseEnumOf } from './enums.js';
import { Payload, payloadOf } from './payload.js';
import { Node } from './relay.js';
import { DateTime } from './scalars.js';

export const Role = lowerCaseEnumOf<RoleName>('Role', 'What a caller may do.', {
  USER: 'What every user may.',
  PRODUCER: 'Besides, send notifications.',
  ADMIN: 'Everything.',
});

@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description:
    'A credential by which a program calls the API. The key itself is shown once, by `createApiKey`.',
})
export class ApiKey extends Node implements Omit<ShownApiKey, 'id'> {
  @Field(() => ID)
  apiKeyId: string;
  @Field(() => ID, { description: 'The raw id of the user whom it acts for.' })
  userId: string;
  @Field(() => [Role], { description: 'What it may do.' })
  roles: readonly RoleName[];
  @Field({ description: 'The plan that it is on, by which rate-limit rules are chosen.' })
  plan: string;
  @Field(() => String, {
    nullable: true,
    description: 'What it is for, as the admin who made it wrote. Null where nobody did.',
  })
  name: string | null;
  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt: Date;
  @Field(() => ID, {
    nullable: true,
    description: 'The raw id of the admin who made it. Null where the command line did.',
  })
  createdBy: string | null;
  @Field(() => DateTime, {
    nullable: true,
    description: 'When it was used last, to about five minutes. Null where no use was noted.',
  })
  lastUsedAt: Date | null;
  @Field(() => DateTime, {
    nullable: true,
    description: 'When it was revoked: within a minute no request with it is accepted. Null while it holds.',
  })
  revokedAt: Date | null;
  @Field(() => ID, {
    nullable: true,
    description:
      'The raw id of the admin who revoked it. Null while it holds, and where the command line did.',
  })
  revokedBy: string | null;
}

export const ApiKeyConnection = connectionOf(
  'ApiKey',
  ApiKey,
  'A page of API keys, revoked ones too, newest first. There is no `totalCount`.',
);

@InputType()
export class CreateApiKeyInput {
  @Field(() => ID, { description: 'Whom it acts for, by raw id or global id. They need no profile.' })
  userId: string;
  @Field(() => [Role], {
    defaultValue: ['user'],
    description: 'What it may do. Empty: only what needs no role.',
  })
  roles: RoleName[];
  @Field({ defaultValue: 'free', description: 'The plan that it is on: 1 to 64 characters.' })
  plan: string;
  @Field(() => String, { nullable: true, description: 'What it is for: 1 to 100 characters.' })
  name?: string | null;
}

@ObjectType({ simpleResolvers: true })
export class CreateApiKeyPayload extends Payload {
  @Field(() => ApiKey, { nullable: true })
  apiKey: object | null;
  @Field(() => String, {
    nullable: true,
    description: 'The key itself: `tidings_…`. It is shown here and never again. Null where it was refused.',
  })
  key: string | null;
}

@InputType()
export class RevokeApiKeyInput {
  @Field(() => ID)
  apiKeyId: string;
}

export const RevokeApiKeyPayload = payloadOf('RevokeApiKey', { apiKey: ApiKey });
