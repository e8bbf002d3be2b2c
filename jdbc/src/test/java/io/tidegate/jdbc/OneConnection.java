package io.tidegate.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/** A source that gives out the same connection each time: no pool looks whether it is alive in between. */
final class OneConnection {
    private OneConnection() {}

    static DataSource of(Connection connection) {
        Connection kept = proxy(
                Connection.class,
                (method, arguments) -> method.getName().equals("close") ? null : method.invoke(connection, arguments));
        return proxy(DataSource.class, (method, arguments) -> kept);
    }

    private interface Calls {
        Object answer(Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    private static <T> T proxy(Class<T> type, Calls calls) {
        return type.cast(Proxy.newProxyInstance(
                OneConnection.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return calls.answer(method, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                }));
    }
}
