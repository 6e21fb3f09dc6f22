import { Field, ID, InputType, registerEnumType } from 'type-graphql';
import type { Engagement } from '../domains/notifications/index.js';
import { Delivery } from './notifications.js';
import { payloadOf } from './payload.js';

/** The domain's words under the API's names. */
export const EngagementKind = { OPENED: 'opened', CLICKED: 'clicked', DISMISSED: 'dismissed' } as const;
registerEnumType(EngagementKind, {
  name: 'EngagementKind',
  description: 'What a user did with a notification.',
  valuesConfig: {
    OPENED: { description: 'They opened it.' },
    CLICKED: { description: 'They tapped it, or one of its buttons.' },
    DISMISSED: { description: 'They swiped it away.' },
  },
});

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
