/** What the contract of the group executor promises, rule by rule, checked through public names alone. */
package io.tidegate.group.contract;
