import { Field, ID, InputType } from 'type-graphql';
import type { Engagement } from '../domains/notifications/index.js';
import { lowerCaseEnumOf } from './enums.js';
import { Delivery } from './notifications.js';
import { payloadOf } from './payload.js';

export const EngagementKind = lowerCaseEnumOf<Engagement['kind']>(
  'EngagementKind',
  'What a user did with a notification.',
  {
    OPENED: 'They opened it.',
    CLICKED: 'They tapped it, or one of its buttons.',
    DISMISSED: 'They swiped it away.',
  },
);

@InputType()
export class RecordEngagementInput {
  @Field(() => ID)
  deliveryId: string;
  @Field(() => EngagementKind, { description: 'What the user did.' })
  kind: Engagement['kind'];
  @Field(() => String, {
    nullable: true,
    description:
      'The button that was tapped, 1 to 100 characters; only with CLICKED. Absent: the notification itself was.',
  })
  actionId?: string | null;
}

export const RecordEngagementPayload = payloadOf('RecordEngagement', { delivery: Delivery });
