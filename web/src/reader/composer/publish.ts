import '../fragments.js';
import { graphql } from '../../common/graphql.js';

export const Publish = graphql(/* GraphQL */ `
  mutation ReaderPublish($content: String!, $mediaIds: [ID!], $visibility: Visibility!, $idempotencyKey: String) {
    publishPost(
      input: {
        content: $content
        mediaIds: $mediaIds
        visibility: $visibility
        idempotencyKey: $idempotencyKey
      }
    ) {
      post {
        ...ReaderPost
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);
