/** What the contract of the group executor promises, rule by rule, seen through its public face alone. */
package io.tidegate.group.contract;
