import { graphql } from '../../../common/graphql.js';

export const TemplatesDocument = graphql(/* GraphQL */ `
  query ConsoleTemplates($after: String, $filter: TemplateFilter) {
    templates(first: 100, after: $after, filter: $filter) {
      edges {
        cursor
        node {
          id
          templateId
          notificationType
          channel
          language
          version
          isActive
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

graphql(/* GraphQL */ `
  fragment TemplateText on Template {
    id
    templateId
    notificationType
    channel
    language
    version
    isActive
    syntax
    title
    subject
    body
    htmlBody
    imageUrl
    actionUrl
    variables
    pushOptions {
      badge
      color
      contentAvailable
      subtitle
      voip
    }
    createdAt
    createdBy
    updatedAt
  }
`);

export const TemplateDocument = graphql(/* GraphQL */ `
  query ConsoleTemplate($templateId: ID!) {
    template(templateId: $templateId) {
      ...TemplateText
    }
  }
`);

/** Asked again every few seconds: another admin may save a version meanwhile. */
export const TemplateVersionsDocument = graphql(/* GraphQL */ `
  query ConsoleTemplateVersions($templateId: ID!) {
    template(templateId: $templateId) {
      id
      versions {
        id
        templateId
        version
        isActive
        createdAt
        createdBy
        updatedAt
      }
    }
  }
`);

export const PreviewTemplateDocument = graphql(/* GraphQL */ `
  query ConsolePreviewTemplate($input: PreviewTemplateInput!) {
    previewTemplate(input: $input) {
      content {
        title
        subtitle
        badge
        subject
        body
        htmlBody
        imageUrl
        actionUrl
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const SaveTemplateDocument = graphql(/* GraphQL */ `
  mutation ConsoleSaveTemplate($input: SaveTemplateInput!) {
    saveTemplate(input: $input) {
      template {
        ...TemplateText
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const ActivateTemplateDocument = graphql(/* GraphQL */ `
  mutation ConsoleActivateTemplate($input: ActivateTemplateInput!) {
    activateTemplate(input: $input) {
      template {
        id
        version
        isActive
        updatedAt
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const DeactivateTemplateDocument = graphql(/* GraphQL */ `
  mutation ConsoleDeactivateTemplate($input: DeactivateTemplateInput!) {
    deactivateTemplate(input: $input) {
      template {
        id
        version
        isActive
        updatedAt
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);
