import { graphql } from '../../../common/graphql.js';

graphql(/* GraphQL */ `
  fragment ShopOrderRow on Order {
    id
    orderId
    status
    customerId
    customerName
    totalAmount
    placedAt
  }
  fragment ShopOrder on Order {
    ...ShopOrderRow
    version
    customerEmail
    shippingAddress
    estimatedDelivery
    shippedAt
    trackingNumber
    cancelledAt
    cancellationReason
    items {
      productId
      productName
      quantity
      unitPrice
      lineTotal
    }
  }
  fragment ShopCustomer on Customer {
    id
    customerId
    userId
    firstName
    lastName
    email
    isActive
    creditLimit
    outstandingBalance
    version
  }
  fragment ShopProduct on Product {
    id
    productId
    name
    unitPrice
    inStock
    reserved
    available
    version
  }
  fragment ShopAccount on Account {
    id
    accountId
    ownerId
    status
    currency
    balance
    version
    recentTransactions {
      amount
      date
      desc
    }
  }
`);

/** US dollars are what the shop counts in; accounts have currencies of their own. */
export function money(amount: string, language: string, currency = 'USD'): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount as `${number}`);
}
